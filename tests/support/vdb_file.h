// SPDX-License-Identifier: MIT
#pragma once

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include <filesystem>

namespace wisp::test {

/// Writes grids with OpenVDB. Returns `path`.
inline std::filesystem::path writeVdb(const std::filesystem::path& path, const openvdb::GridPtrVec& grids) {
    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.write(grids);
    file.close();
    return path;
}

}  // namespace wisp::test
