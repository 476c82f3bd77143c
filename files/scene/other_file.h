// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wisp {

/// What a file or folder that was given as a scene is instead, and how to use it, such as "is a volume: draw it with ..."; empty if it may
/// be a scene, or is not known. The contents count, and the name if there is no such file.
std::string otherFile(const std::filesystem::path& path);

}  // namespace wisp
