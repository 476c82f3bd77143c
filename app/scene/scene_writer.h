// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <filesystem>
#include <map>
#include <string>

namespace wisp::app {

/// The text of a scene file in `folder` that reads as these settings. What has its default is left out, and so is what has no
/// meaning there, such as the radius of a box.
std::string writeScene(const Settings& settings, const std::filesystem::path& folder);

/// What a scene file says for each key outside of lists: the value of "pressure.solver" is "multigrid" in quotes.
std::map<std::string, std::string> sceneValues(const Settings& settings);

}  // namespace wisp::app
