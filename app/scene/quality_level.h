// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <array>

namespace wisp::app {

enum class QualityLevel { Preview, Standard, High, Ultra };
inline constexpr std::array kQualityLevels{QualityLevel::Preview, QualityLevel::Standard, QualityLevel::High,
                                           QualityLevel::Ultra};  ///< the coarsest first

const char* nameOf(QualityLevel level);  ///< as --quality has it
/// Cells along an edge over those of the scene file.
double scaleOf(QualityLevel level);

/// The grid with about `factor` times as many cells along an edge. Counts keep their proportions exactly, so that cells
/// stay cubic; none goes below 8, unless it was already. A flat grid stays flat.
void scaleGrid(GridSettings& grid, double factor);

/// Cells to save: `own`, where the grid has what some quality level makes of them, and otherwise those of the grid, which were changed
/// since.
glm::uvec3 cellsToSave(const GridSettings& grid, glm::uvec3 own);

}  // namespace wisp::app
