// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp {

inline constexpr std::size_t kMaxSceneBytes = std::size_t{4} << 20;  ///< maximum size of a scene or look file

/// A file that is part of wisp, such as "looks/studio.toml": the installed file if it exists, otherwise the embedded file (see
/// files/base/embedded_file.h).
std::filesystem::path builtInFile(const std::string& name);
/// Names of all built-in scenes, installed or embedded.
std::vector<std::string> builtInScenes();
/// Path of a scene from the name of a built-in scene or a path to a TOML file. @throws Failure Usage for an unknown name.
std::filesystem::path findScene(const std::string& nameOrPath);

}  // namespace wisp
