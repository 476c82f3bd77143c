// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

inline constexpr std::size_t kMaxSceneBytes = std::size_t{4} << 20;  ///< of a scene, or of a look

/// A file that comes with wisp, such as "looks/studio.toml": installed beside the executable, or else within it (see
/// app/base/embedded_file.h).
std::filesystem::path builtInFile(const std::string& name);
/// Names of the scenes that come with wisp, installed or embedded.
std::vector<std::string> builtInScenes();
/// A built-in scene's name, or a path to a TOML file. @throws Failure Usage if there is none.
std::filesystem::path findScene(const std::string& nameOrPath);

}  // namespace wisp::app
