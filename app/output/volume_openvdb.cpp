// SPDX-License-Identifier: MIT
// Loads the module of app/openvdb, which writes .vdb files.
#include "app/base/failure.h"
#include "app/output/volume_blocks.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <filesystem>

namespace wisp::app {
namespace {

namespace fs = std::filesystem;

using Encode = void (*)(const VolumeGrids& grids, const Volume& volume, std::string& file, std::string& error);

/// The module: beside the program, in the build folder beside tests, or in the lib folder of an installation. nullptr: it is missing.
struct Module {
    Encode encode = nullptr;
    std::string error;
    Module() {
        std::error_code ignored;
        const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
        for (const char* place : {"", "..", "../lib/wisp"}) {
            const fs::path file = (folder / place / "wisp_openvdb.so").lexically_normal();
            if (!fs::exists(file, ignored)) continue;
            void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
            encode = library ? reinterpret_cast<Encode>(dlsym(library, "wispEncodeOpenVdb")) : nullptr;
            if (!encode) error = dlerror();
            return;
        }
        error = fmt::format("wisp_openvdb.so is neither beside the program nor in {}",
                            (folder / "../lib/wisp").lexically_normal().string());
    }
};

const Module& module() {
    static const Module loaded;
    return loaded;
}

}  // namespace

std::string openVdbProblem() { return module().error; }

std::string encodeOpenVdb(const Volume& volume) {
    std::string file, error = module().error;
    if (error.empty()) module().encode(gridsOf(volume), volume, file, error);
    if (!error.empty()) throw Failure(Exit::Output, "OpenVDB: " + error);
    return file;
}

}  // namespace wisp::app
