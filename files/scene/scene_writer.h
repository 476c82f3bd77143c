// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/scene_visitor.h"

#include <filesystem>
#include <map>
#include <string>

namespace wisp {

/// Text of a scene file in `folder` with these settings. Default values are omitted, and so are keys without effect, such as the radius of
/// a box.
std::string writeScene(const Settings& settings, const std::filesystem::path& folder);

/// The text of a value, as in a scene file. Empty: not given.
std::string valueText(const KeyValue& value, const KeyInfo& about);

/// The text of each value outside of lists, as in a scene file: the value of "pressure.solver" is "multigrid" with quotes.
std::map<std::string, std::string> sceneValues(const Settings& settings);

}  // namespace wisp
