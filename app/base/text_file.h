// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace wisp::app {

// Both read embedded files, too.

/// What a file or a pipe holds, which may go on for ever. @throws std::runtime_error that says what is wrong, also if it is more than
/// `most` bytes.
std::string readText(const std::filesystem::path& file, std::size_t most);
/// What a regular file holds. @throws std::runtime_error that says what is wrong, also if it is more than `most` bytes.
std::string readBytes(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace wisp::app
