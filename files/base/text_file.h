// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace wisp {

// Both functions also read embedded files.

/// Reads a file or a pipe. @throws std::runtime_error with the reason, also if there are more than `most` bytes (a pipe may be endless).
std::string readText(const std::filesystem::path& file, std::size_t most);
/// Reads a regular file. @throws std::runtime_error with the reason, also if there are more than `most` bytes.
std::string readBytes(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace wisp
