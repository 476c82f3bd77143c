// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wisp::app {

/// The file that a scene in `folder` calls by this name.
std::filesystem::path fileNamed(const std::string& name, const std::filesystem::path& folder);
/// How a scene in `folder` names a file.
std::string fileFrom(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace wisp::app
