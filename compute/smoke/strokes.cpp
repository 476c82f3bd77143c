// SPDX-License-Identifier: MIT
#include "compute/scene/shape_data.h"
#include "compute/smoke/smoke_passes.h"
#include "shaders/shared/stroke.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <limits>

namespace wisp {
namespace {

using engine::Traffic;

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

// In doubles, because the square of a short length underflows in a float.
glm::vec3 directionOf(const MotionSegment& motion) { return glm::normalize(glm::dvec3(motion.to) - glm::dvec3(motion.from)); }

gpu::StrokePush strokePush(const StrokeSettings& stroke, const MotionSegment& motion, glm::ivec3 first, glm::vec4 amount,
                           float mostZ = kNoLimit) {
    return {.first = first,
            .from = motion.from,
            .along = directionOf(motion),
            .pathLength = glm::length(motion.to - motion.from),
            .radius = stroke.radius,
            .amount = amount,
            .mostZ = mostZ};
}

CellBox touched(const StrokeSettings& stroke, const MotionSegment& motion, const GridSettings& grid, float cellSize, glm::uvec3 cells) {
    return cellsTouched(strokeShape(stroke, motion), grid, cellSize, cells);
}

std::uint64_t count(const CellBox& box) { return std::uint64_t{box.size.x} * box.size.y * box.size.z; }

}  // namespace

Shape strokeShape(const StrokeSettings& stroke, const MotionSegment& motion) {
    return {.kind = ShapeKind::Capsule,
            .centre = 0.5f * (motion.from + motion.to),
            .radius = WISP_STROKE_REACH * stroke.radius,
            .half = 0.5f * (motion.to - motion.from)};
}

void recordStrokeVelocity(engine::Recorder& rec, const Domain& d, Flow& flow, const StrokeSettings& stroke, const MotionSegment& motion) {
    if (stroke.force == 0.0f || motion.from == motion.to) return;
    const CellBox box = touched(stroke, motion, d.grid, d.grid.cellSize(), d.faces());
    const auto velocity = Traffic::texels(flow.velocity, count(box));
    const glm::vec4 gain(stroke.force * directionOf(motion), 0.0f);
    rec.dispatch("stroke_velocity", box.size, {{"velocityIn", velocity}, {"velocityOut", velocity}},
                 strokePush(stroke, motion, box.first, gain));
}

void recordStrokeScalars(engine::Recorder& rec, const Domain& d, Smoke& smoke, const StrokeSettings& stroke, const MotionSegment& motion) {
    if (motion.from == motion.to || (stroke.density == 0.0f && stroke.temperature == 0.0f && stroke.fuel == 0.0f)) return;
    const CellBox box = touched(stroke, motion, d.grid, d.grid.cellSize() / static_cast<float>(d.grid.scalarRatio), d.scalarCells());
    const float whole = glm::root_two_pi<float>() * stroke.radius;  // path length within the Gaussian if the stroke is long [m]
    const auto add = [&](const engine::Image& field, glm::vec4 left, float mostZ) {
        const auto scalars = Traffic::texels(field, count(box));
        rec.dispatch("stroke_scalars", box.size,
                     {{"scalarsIn", scalars}, {"scalarsOut", scalars}, {"aperture", Traffic::texels(d.aperture, count(box))}},
                     strokePush(stroke, motion, box.first, left / whole, mostZ));
    };
    add(smoke.scalars[0], {stroke.density, stroke.temperature, stroke.fuel, 0.0f}, 1.0f);
    if (smoke.hasColours()) add(smoke.colours[0], stroke.density * glm::vec4(stroke.colour, 0.0f), kNoLimit);
}

}  // namespace wisp
