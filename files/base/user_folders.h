// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wisp {

// Folders "wisp" in the XDG base directories. Empty if the environment sets neither the XDG variable nor HOME. The folder may not exist
// yet.
std::filesystem::path cacheFolder();   ///< $XDG_CACHE_HOME, else ~/.cache: may be deleted at any time
std::filesystem::path configFolder();  ///< $XDG_CONFIG_HOME, else ~/.config

}  // namespace wisp
