// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <vector>

namespace wisp {

/// Every problem at once; empty: the settings can run.
std::vector<Problem> validate(const Settings& settings);

}  // namespace wisp
