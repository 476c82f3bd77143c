// SPDX-License-Identifier: MIT
#include "compute/scene/shape_data.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <cmath>

namespace wisp {

namespace {

// A range that crosses a periodic side continues at the opposite side. It is extended to the whole axis.
void wrap(glm::vec3& low, glm::vec3& high, glm::vec3 cells, std::uint32_t periodicAxes) {
    for (int axis = 0; axis < 3; ++axis) {
        if ((periodicAxes >> axis & 1) == 0 || (low[axis] >= 0.0f && high[axis] <= cells[axis])) continue;
        low[axis] = 0.0f;
        high[axis] = cells[axis];
    }
}

}  // namespace

gpu::ShapeData shapeData(const Shape& shape, const GridSettings& grid, const glm::quat& rotation) {
    const bool isBox = shape.kind == ShapeKind::Box || shape.kind == ShapeKind::Volume;  // a volume counts as its bounding box
    const bool round = !isBox, straight = shape.kind != ShapeKind::Sphere;               // MeshDistance::place completes meshes
    glm::vec3 half = straight ? shape.half : glm::vec3(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        glm::vec3 along(0.0f);
        along[axis] = 1.0f;
        const float period = static_cast<float>(grid.cells[axis]) * grid.cellSize();
        const bool spans = (grid.periodicAxes() >> axis & 1) != 0 && 2.0f * half[axis] >= period * (1.0f - 1e-6f);
        if (shape.kind == ShapeKind::Box && spans && glm::distance(rotation * along, along) < 1e-6f) half[axis] = WISP_ENDLESS;
    }
    return {.centre = shape.centre,
            .kind = static_cast<int>(isBox ? ShapeKind::Box : shape.kind),
            .halfExtent = half,
            .radius = round ? shape.radius : 0.0f,
            .rotation = {rotation.x, rotation.y, rotation.z, rotation.w},
            .slice = 0};
}

float boundingRadius(const gpu::ShapeData& shape) {
    const glm::vec3 half = glm::mix(shape.halfExtent, glm::vec3(0.0f), glm::equal(shape.halfExtent, glm::vec3(WISP_ENDLESS)));
    return glm::length(half) + shape.radius;
}

glm::dvec3 imageInBox(const GridSettings& grid, glm::dvec3 x) {
    const glm::dvec3 period = glm::dvec3(grid.cells) * static_cast<double>(grid.cellSize()), origin(grid.origin);
    for (int axis = 0; axis < 3; ++axis) {
        if ((grid.periodicAxes() >> axis & 1) != 0) x[axis] -= period[axis] * std::floor((x[axis] - origin[axis]) / period[axis]);
    }
    return x;
}

CellBox cellsTouched(const Shape& shape, const GridSettings& grid, float cellSize, glm::uvec3 cells) {
    return cellsTouched(shapeData(shape, grid), grid, cellSize, cells);
}

CellBox cellsTouched(const gpu::ShapeData& s, const GridSettings& grid, float cellSize, glm::uvec3 cells, float around) {
    glm::vec3 half = glm::abs(s.halfExtent);
    if (s.rotation != glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)) {
        const auto endless = glm::equal(half, glm::vec3(WISP_ENDLESS));
        half = glm::mix(glm::vec3(glm::length(glm::mix(half, glm::vec3(0.0f), endless))), half, endless);
    }
    const glm::vec3 reach = half + s.radius + around + grid.cellSize();  // the smooth edge of an emitter is a cell wide
    const glm::vec3 last = glm::vec3(cells);
    // Clamped before the conversion to integers, which is undefined beyond their range.
    glm::vec3 low = glm::floor((s.centre - reach - grid.origin) / cellSize), high = glm::ceil((s.centre + reach - grid.origin) / cellSize);
    wrap(low, high, last, grid.periodicAxes());
    low = glm::clamp(low, glm::vec3(0.0f), last);
    high = glm::clamp(high, glm::vec3(0.0f), last);
    return {glm::ivec3(low), glm::uvec3(high - low)};
}

CellBox cellsOfObstacles(const gpu::StepData& step) {
    const glm::vec3 cells = glm::vec3(step.cells);
    std::uint32_t periodicAxes = 0;
    for (int axis = 0; axis < 3; ++axis) periodicAxes |= step.sidesLow[axis] == WISP_PERIODIC ? 1u << axis : 0u;
    glm::vec3 low = cells, high(0.0f);
    for (int n = 0; n < step.obstacleCount; ++n) {
        const gpu::ObstacleData& o = step.obstacles[n];
        const float reach = boundingRadius(o.shape) + o.swept * glm::length(o.velocity);
        const glm::vec3 all = glm::mix(glm::vec3(reach), glm::vec3(WISP_ENDLESS), glm::equal(o.shape.halfExtent, glm::vec3(WISP_ENDLESS)));
        low = glm::min(low, glm::floor((o.shape.centre - all - step.origin) / step.h) - 2.0f);
        high = glm::max(high, glm::ceil((o.shape.centre + all - step.origin) / step.h) + 2.0f);
    }
    if (step.obstacleCount > 0) wrap(low, high, cells, periodicAxes);
    low = glm::clamp(low, glm::vec3(0.0f), cells);
    high = glm::clamp(high, low, cells);
    return {glm::ivec3(low), glm::uvec3(high - low)};
}

}  // namespace wisp
