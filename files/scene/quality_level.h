// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <array>

namespace wisp {

enum class QualityLevel { Draft, Preview, Standard, High, Ultra };
/// The coarsest first.
inline constexpr std::array kQualityLevels{QualityLevel::Draft, QualityLevel::Preview, QualityLevel::Standard, QualityLevel::High,
                                           QualityLevel::Ultra};

const char* nameOf(QualityLevel level);  ///< name for --quality
/// Cells along an edge divided by those of the scene file.
double scaleOf(QualityLevel level);

/// Scales the number of cells along each edge by about `factor`. The proportions are kept exactly, so that cells stay cubic. No number
/// falls below 8, unless it was below 8 before. A flat grid stays flat.
void scaleGrid(GridSettings& grid, double factor);

/// Cells to save in a scene file: `own`, if a quality level scales `own` to the cells of the grid. Otherwise the cells were changed, and
/// the cells of the grid are saved.
glm::uvec3 cellsToSave(const GridSettings& grid, glm::uvec3 own);

}  // namespace wisp
