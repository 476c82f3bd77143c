// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wisp {

/// Prefix of the names of meshes and volumes that a program gives instead of files, see MemoryData.
inline constexpr std::string_view kMemory = "memory:";
inline bool isInMemory(std::string_view file) { return file.starts_with(kMemory); }

/// Path of a file that a scene in `folder` refers to as `name`.
std::filesystem::path fileNamed(const std::string& name, const std::filesystem::path& folder);
/// Name by which a scene in `folder` refers to `file`.
std::string fileFrom(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace wisp
