// SPDX-License-Identifier: MIT
#include "files/base/failure.h"
#include "files/base/openvdb_module.h"
#include "files/volume/volume_blocks.h"

namespace wisp {

std::string encodeOpenVdb(const Volume& volume) {
    using Encode = void (*)(const VolumeGrids& grids, const Volume& volume, std::string& file, std::string& error);
    std::string file, error = openVdbProblem();
    if (error.empty()) reinterpret_cast<Encode>(openVdbFunction("wispEncodeOpenVdb"))(gridsOf(volume), volume, file, error);
    if (!error.empty()) throw Failure(Exit::Output, "OpenVDB: " + error);
    return file;
}

}  // namespace wisp
