// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

namespace wisp {

/// What is allowed but is hardly meant, by key: meshes that leak, emitters outside the box, a scene with nothing in it. Settings must be
/// valid.
std::vector<Problem> sceneWarnings(const Settings& settings);

}  // namespace wisp
