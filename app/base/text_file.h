// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace wisp::app {

/// What a file or a pipe holds, which may go on for ever. @throws std::runtime_error that says what is wrong, also if it is more than
/// `most` bytes.
std::string readText(const std::filesystem::path& file, std::size_t most);

}  // namespace wisp::app
