// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wisp::app {

// The folders "wisp" of the XDG base directories; empty if the environment names none. They may not exist yet.
std::filesystem::path cacheFolder();   ///< $XDG_CACHE_HOME, else ~/.cache: may be deleted at any time
std::filesystem::path configFolder();  ///< $XDG_CONFIG_HOME, else ~/.config

}  // namespace wisp::app
