// SPDX-License-Identifier: MIT
#include "compute/shape_data.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace wisp {

gpu::ShapeData shapeData(const Shape& shape, const glm::quat& rotation) {
    const bool round = shape.kind != ShapeKind::Box, straight = shape.kind != ShapeKind::Sphere;  // a mesh: see MeshDistance::place
    return {.centre = shape.centre,
            .kind = static_cast<int>(shape.kind),
            .halfExtent = straight ? shape.half : glm::vec3(0.0f),
            .radius = round ? shape.radius : 0.0f,
            .rotation = {rotation.x, rotation.y, rotation.z, rotation.w},
            .slice = 0};
}

CellBox cellsTouched(const Shape& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells) {
    const gpu::ShapeData s = shapeData(shape);
    const glm::vec3 reach = glm::abs(s.halfExtent) + s.radius + cellSize;
    const glm::vec3 last = glm::vec3(cells);
    // Clamped before the conversion to integers, which is undefined beyond their range.
    const glm::vec3 low = glm::clamp(glm::floor((s.centre - reach - grid.origin) / cellSize), glm::vec3(0.0f), last);
    const glm::vec3 high = glm::clamp(glm::ceil((s.centre + reach - grid.origin) / cellSize), glm::vec3(0.0f), last);
    return {glm::ivec3(low), glm::uvec3(high - low)};
}

CellBox cellsOfObstacles(const gpu::StepData& step) {
    const glm::vec3 cells = glm::vec3(step.cells);
    glm::vec3 low = cells, high(0.0f);
    for (int n = 0; n < step.obstacleCount; ++n) {
        const gpu::ObstacleData& o = step.obstacles[n];
        const float reach = glm::length(o.shape.halfExtent) + o.shape.radius + o.swept * glm::length(o.velocity);
        low = glm::min(low, glm::floor((o.shape.centre - reach - step.origin) / step.h) - 2.0f);
        high = glm::max(high, glm::ceil((o.shape.centre + reach - step.origin) / step.h) + 2.0f);
    }
    low = glm::clamp(low, glm::vec3(0.0f), cells);
    high = glm::clamp(high, low, cells);
    return {glm::ivec3(low), glm::uvec3(high - low)};
}

}  // namespace wisp
