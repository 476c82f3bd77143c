// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/quality.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Adds the numbers of `liquid` under their names in reports.
void addLiquidNumbers(std::vector<std::pair<const char*, double>>& numbers, const LiquidQuality& liquid);
/// A warning if the capacity, a number of particles, is reached. Otherwise empty.
std::string liquidWarning(const LiquidQuality& liquid, std::uint64_t capacity);

}  // namespace wisp::app
