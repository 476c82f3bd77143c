// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <vector>

namespace wisp {

/// Cells by which smoke may move in a step without a warning. An obstacle that moves farther leaves gaps (kMaxPositions, motion.cpp), and
/// forces act only once on the way.
inline constexpr double kManyCells = 16.0;

/// Warnings about the ambient flow, and about smoke that moves by many cells in a step. Settings must be valid.
std::vector<Problem> flowWarnings(const Settings& settings);

}  // namespace wisp
