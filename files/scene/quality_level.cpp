// SPDX-License-Identifier: MIT
#include "files/scene/quality_level.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace wisp {

double scaleOf(QualityLevel level) {
    switch (level) {
        case QualityLevel::Draft: return 0.25;
        case QualityLevel::Preview: return 0.5;
        case QualityLevel::Standard: return 1.0;
        case QualityLevel::High: return 1.5;
        case QualityLevel::Ultra: return 2.0;
    }
    return 1.0;
}

const char* nameOf(QualityLevel level) {
    switch (level) {
        case QualityLevel::Draft: return "draft";
        case QualityLevel::Preview: return "preview";
        case QualityLevel::Standard: return "standard";
        case QualityLevel::High: return "high";
        case QualityLevel::Ultra: return "ultra";
    }
    return "";
}

void scaleGrid(GridSettings& grid, double factor) {
    const bool isFlat = grid.isFlat();
    const std::uint32_t common = std::gcd(grid.cells.x, isFlat ? grid.cells.y : std::gcd(grid.cells.y, grid.cells.z));
    if (common == 0) return;
    const glm::uvec3 unit = isFlat ? glm::uvec3(grid.cells.x / common, grid.cells.y / common, 1) : grid.cells / common;
    const std::uint32_t thinnest = std::min(unit.x, isFlat ? unit.y : std::min(unit.y, unit.z));
    if (thinnest == 0) return;  // a grid without cells, which `validate` rejects
    const std::uint64_t floor = std::min<std::uint64_t>(common, (std::uint64_t{8} + thinnest - 1) / thinnest);
    const std::uint64_t times = std::max(floor, static_cast<std::uint64_t>(std::llround(common * factor)));
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();  // too large, so `validate` rejects it
    for (int i = 0; i < (isFlat ? 2 : 3); ++i) grid.cells[i] = static_cast<std::uint32_t>(std::min(kMost, unit[i] * times));
}

glm::uvec3 cellsToSave(const GridSettings& grid, glm::uvec3 own) {
    for (const QualityLevel level : kQualityLevels) {
        GridSettings scaled = grid;
        scaled.cells = own;
        scaleGrid(scaled, scaleOf(level));
        if (scaled.cells == grid.cells) return own;
    }
    return grid.cells;
}

}  // namespace wisp
