// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_override.h"

#include <string>
#include <vector>

namespace wisp::app {

/// The scene keys that a preset sets, in order; options that come after them win. @throws Failure Usage if there is no such preset: the
/// message lists them.
std::vector<Override> presetOverrides(const std::string& name);

}  // namespace wisp::app
