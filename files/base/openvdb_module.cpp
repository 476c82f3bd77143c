// SPDX-License-Identifier: MIT
// Loads the module of files/openvdb, which reads and writes .vdb files.
#include "files/base/openvdb_module.h"

#include "files/base/own_file.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <filesystem>

namespace wisp {
namespace {

namespace fs = std::filesystem;

/// The module: beside the program or the library, in the build folder beside tests, or in the lib folder of an installation. nullptr: it is
/// missing.
struct Module {
    void* library = nullptr;
    std::string error;
    Module() {
        std::error_code ignored;
        const OwnFile& own = ownFile();
        const fs::path folder = own.path.parent_path();
        // The library is in lib, or in a folder of lib for this kind of processor.
        for (const char* place : {"", "..", "../lib/wisp", "wisp", "../wisp"}) {
            const fs::path file = (folder / place / "wisp_openvdb.so").lexically_normal();
            if (!fs::exists(file, ignored)) continue;
            library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (!library) error = dlerror();
            return;
        }
        error = fmt::format("wisp_openvdb.so is neither beside {} nor in {}", own.isLibrary ? own.path.string() : "the program",
                            (folder / (own.isLibrary ? "wisp" : "../lib/wisp")).lexically_normal().string());
    }
};

const Module& module() {
    static const Module loaded;
    return loaded;
}

}  // namespace

std::string openVdbProblem() { return module().error; }

void* openVdbFunction(const char* name) { return dlsym(module().library, name); }

}  // namespace wisp
