// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wisp {

/// Path of a file that a scene in `folder` refers to as `name`.
std::filesystem::path fileNamed(const std::string& name, const std::filesystem::path& folder);
/// Name by which a scene in `folder` refers to `file`.
std::string fileFrom(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace wisp
