// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_override.h"
#include "app/scene/scene_reader.h"

#include <vector>

namespace wisp::app {

/// Writes each override into the table as if the file had it; positions of what it writes name the option.
void applyOverrides(toml::table& table, const std::vector<Override>& overrides, SceneLog& log);

}  // namespace wisp::app
