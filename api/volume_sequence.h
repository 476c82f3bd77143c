// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <string>

namespace wisp {

/// Why motion blur has no effect on the smoke of files that are shown, or "".
std::string blurProblem(const Settings& settings);

}  // namespace wisp
