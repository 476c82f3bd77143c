// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace wisp::app {

/// Two-sided p-value of the Mann-Whitney U test: the probability of a difference at least this large if both samples come from the same
/// distribution. Normal approximation with corrections for continuity and ties (Lehmann 1975, section 1.5), which is conservative
/// for small samples. Returns 1 if a sample is empty or all values are equal.
double mannWhitney(std::span<const double> a, std::span<const double> b);

}  // namespace wisp::app
