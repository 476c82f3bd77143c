// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/shape_push.h"

namespace wisp {

/// A range of cells or faces.
struct CellBox {
    glm::ivec3 first{0};
    glm::uvec3 size{0};
};

/// A box that lies along a periodic axis and spans it has no end there: its half edge becomes WISP_ENDLESS.
gpu::ShapeData shapeData(const Shape& shape, const GridSettings& grid, const glm::quat& rotation = glm::quat(1.0f, 0.0f, 0.0f, 0.0f));

/// Radius [m] of a ball around the centre that holds the body, but for where it has no end.
float reachOf(const gpu::ShapeData& shape);

/// The image of x [m] that lies in the box along periodic axes.
glm::dvec3 imageInBox(const GridSettings& grid, glm::dvec3 x);

/// The fine cells that obstacles may touch, anywhere on their way through a step, with a margin of two.
CellBox cellsOfObstacles(const gpu::StepData& step);

/// The cells (of edge `cellSize` [m], `cells` of them) that a shape may touch, with a margin of a fine cell.
CellBox cellsTouched(const Shape& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells);

}  // namespace wisp
