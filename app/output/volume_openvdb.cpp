// SPDX-License-Identifier: MIT
#include "app/output/volume_blocks.h"
#include "files/base/failure.h"
#include "files/base/openvdb_module.h"

namespace wisp::app {

std::string encodeOpenVdb(const Volume& volume) {
    using Encode = void (*)(const VolumeGrids& grids, const Volume& volume, std::string& file, std::string& error);
    std::string file, error = openVdbProblem();
    if (error.empty()) reinterpret_cast<Encode>(openVdbFunction("wispEncodeOpenVdb"))(gridsOf(volume), volume, file, error);
    if (!error.empty()) throw Failure(Exit::Output, "OpenVDB: " + error);
    return file;
}

}  // namespace wisp::app
