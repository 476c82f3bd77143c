// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wisp {

/// The extension of a file, such as ".obj", in small letters: programs on Windows also write "X.OBJ".
std::string extensionOf(const std::filesystem::path& file);

}  // namespace wisp
