// SPDX-License-Identifier: MIT
#pragma once

#include "compute/settings.h"
#include "shaders/shared/shape_push.h"

namespace wisp {

/// A range of cells or faces.
struct CellBox {
    glm::ivec3 first{0};
    glm::uvec3 size{0};
};

gpu::ShapeData shapeData(const Shape& shape, const glm::quat& rotation = glm::quat(1.0f, 0.0f, 0.0f, 0.0f));

/// The fine cells that obstacles may touch, anywhere on their way through a step, with a margin of two.
CellBox cellsOfObstacles(const gpu::StepData& step);

/// The cells (of edge `cellSize` [m], `cells` of them) that a shape may touch, with a margin of one.
CellBox cellsTouched(const Shape& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells);

}  // namespace wisp
