// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/quality.h"

#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Adds its numbers under the names of reports.
void addLiquidNumbers(std::vector<std::pair<const char*, double>>& numbers, const LiquidQuality& liquid);
/// Where no more particles fit: says so; else empty.
std::string liquidWarning(const LiquidQuality& liquid, const Settings& settings);

}  // namespace wisp::app
