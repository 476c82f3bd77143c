// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/quality.h"

#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Adds the numbers of `liquid` under their names in reports.
void addLiquidNumbers(std::vector<std::pair<const char*, double>>& numbers, const LiquidQuality& liquid);
/// A warning if the particle capacity is reached. Otherwise empty.
std::string liquidWarning(const LiquidQuality& liquid, const Settings& settings);

}  // namespace wisp::app
