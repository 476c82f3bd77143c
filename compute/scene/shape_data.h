// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/shape_push.h"

namespace wisp {

/// A box of cells or faces.
struct CellBox {
    glm::ivec3 first{0};
    glm::uvec3 size{0};
};

/// The shape for the shaders. A box that is parallel to a periodic axis and spans it is endless: its half edge becomes WISP_ENDLESS.
gpu::ShapeData shapeData(const Shape& shape, const GridSettings& grid, const glm::quat& rotation = glm::quat(1.0f, 0.0f, 0.0f, 0.0f));

/// Radius of the body's bounding sphere around its centre [m], not counting endless axes.
float boundingRadius(const gpu::ShapeData& shape);

/// The periodic image of x [m] that lies in the box.
glm::dvec3 imageInBox(const GridSettings& grid, glm::dvec3 x);

/// The fine cells that obstacles may touch anywhere on their path in a step, with a margin of two cells.
CellBox cellsOfObstacles(const gpu::StepData& step);

/// The cells that a shape may touch, with a margin of a fine cell, in a grid of `cells` cells of edge `cellSize` [m].
/// `around`: thickness of a layer around the shape that also counts [m]. A mesh must be placed, see placeMesh.
CellBox cellsTouched(const gpu::ShapeData& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells, float around = 0.0f);
CellBox cellsTouched(const Shape& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells);

}  // namespace wisp
