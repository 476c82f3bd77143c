// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

namespace wisp {

/// Warnings about valid settings that are probably mistakes, by key: meshes that leak, emitters outside the box or inside
/// obstacles or that cool gas below absolute zero, wind that does not blow, steps of many cells, a scene with nothing to see. Settings must
/// be valid.
std::vector<Problem> sceneWarnings(const Settings& settings);

}  // namespace wisp
