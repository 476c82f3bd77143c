// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_override.h"

#include <string>
#include <vector>

namespace wisp {

/// The scene keys that a preset sets, in order. Later options override them. @throws Failure Usage for an unknown preset. The message lists
/// all presets.
std::vector<Override> presetOverrides(const std::string& name);

}  // namespace wisp
