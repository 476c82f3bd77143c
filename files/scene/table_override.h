// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_override.h"
#include "files/scene/scene_reader.h"

#include <vector>

namespace wisp {

/// Writes each override into the table, as if it were in the file. The source position of the value is the option.
void applyOverrides(toml::table& table, const std::vector<Override>& overrides, SceneLog& log);

}  // namespace wisp
