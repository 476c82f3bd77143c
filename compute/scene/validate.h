// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <vector>

namespace wisp {

/// All problems of the settings; empty if they can run.
std::vector<Problem> validate(const Settings& settings);

}  // namespace wisp
