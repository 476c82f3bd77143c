// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wisp::app {

/// The first of NAME-000.EXTENSION, NAME-001.EXTENSION, ... in the current folder that is not there yet.
std::filesystem::path freeName(const std::string& scene, const char* extension);

}  // namespace wisp::app
