// SPDX-License-Identifier: MIT
#include "files/base/user_folders.h"

#include <cstdlib>

namespace wisp {
namespace {

namespace fs = std::filesystem;

/// The XDG Base Directory Specification requires that relative paths are ignored.
fs::path absolutePath(const char* variable) {
    const char* const value = std::getenv(variable);
    const fs::path path = value ? value : "";
    return path.is_absolute() ? path : fs::path();
}

fs::path userFolder(const char* variable, const char* inHome) {
    if (const fs::path base = absolutePath(variable); !base.empty()) return base / "wisp";
    const fs::path home = absolutePath("HOME");
    return home.empty() ? home : home / inHome / "wisp";
}

}  // namespace

fs::path cacheFolder() { return userFolder("XDG_CACHE_HOME", ".cache"); }
fs::path configFolder() { return userFolder("XDG_CONFIG_HOME", ".config"); }

}  // namespace wisp
