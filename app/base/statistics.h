// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace wisp::app {

/// The two-sided p-value of the Mann-Whitney U test: how probable samples as different as these are, if both come from one
/// distribution. By the normal approximation, corrected for continuity and ties (Lehmann 1975, section 1.5), which is on the safe side
/// for short lists. 1 if one list is empty or all values are equal.
double mannWhitney(std::span<const double> a, std::span<const double> b);

}  // namespace wisp::app
