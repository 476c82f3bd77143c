// SPDX-License-Identifier: MIT
#include "compute/scene/scene_warnings.h"

#include "compute/scene/covered.h"
#include "compute/scene/flow_warnings.h"
#include "compute/scene/mesh_report.h"
#include "compute/scene/thin_bodies.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace wisp {
namespace {

constexpr float kRounding = 1e-4f;  // of a position [cells]

/// Half size of a shape's bounding box [m].
glm::vec3 halfSize(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::Box:
        case ShapeKind::Volume: return shape.half;
        case ShapeKind::Capsule: return glm::abs(shape.half) + shape.radius;
        default: return glm::vec3(shape.radius);
    }
}

bool isOutside(const GridSettings& grid, const Shape& shape) {
    const glm::vec3 low = grid.origin, high = low + grid.size;
    if (shape.kind == ShapeKind::Sphere) return glm::distance(shape.centre, glm::clamp(shape.centre, low, high)) >= shape.radius;
    const glm::vec3 half = halfSize(shape);
    return glm::any(glm::greaterThanEqual(shape.centre - half, high)) || glm::any(glm::lessThanEqual(shape.centre + half, low));
}

bool isEmpty(const Settings& s) {
    return s.emitters.empty() && s.initial.empty() && s.strokes.empty() && s.obstacles.empty() &&
           s.prescribed.field == PrescribedField::None && !s.usesSplats();
}

glm::quat rotationOf(const ObstacleSettings& o) {
    if (o.rotation == glm::vec3(0.0f)) return {1.0f, 0.0f, 0.0f, 0.0f};
    return glm::angleAxis(glm::length(o.rotation), glm::normalize(o.rotation));
}

/// Whether the bounding box of a turned box or capsule is outside the box.
bool isOutside(const GridSettings& grid, const ObstacleSettings& o) {
    const glm::quat turned = rotationOf(o);
    glm::vec3 half = glm::abs(turned * o.shape.half) + o.shape.radius;
    if (o.shape.kind == ShapeKind::Box) {
        half = glm::vec3(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            glm::vec3 edge(0.0f);
            edge[axis] = o.shape.half[axis];
            half += glm::abs(turned * edge);
        }
    }
    return isOutside(grid, Shape{.kind = ShapeKind::Box, .centre = o.shape.centre, .half = half - kRounding * grid.cellSize()});
}

/// Whether a body at rest closes faces of cells: its sides are along cells, and a plane of faces (of a capsule, a line of edges) is in it.
bool closesFaces(const Settings& s, const ObstacleSettings& o) {
    if (!rests(o)) return false;
    const glm::quat turned = rotationOf(o);
    const auto isAlong = [](glm::vec3 v) {  // an axis of the grid, to the rounding of a rotation by 90 degrees
        const glm::vec3 u = glm::abs(v) / glm::length(v);
        return u.x + u.y + u.z - std::max({u.x, u.y, u.z}) < 1e-5f;
    };
    const glm::vec3 cells = (o.shape.centre - s.grid.origin) / s.grid.cellSize(), beside = glm::abs(cells - glm::round(cells));
    if (o.shape.kind == ShapeKind::Capsule) {
        const glm::vec3 along = turned * o.shape.half;
        if (o.shape.half != glm::vec3(0.0f) && !isAlong(along)) return false;
        const glm::vec3 across = glm::mix(beside, glm::vec3(0.0f), glm::greaterThan(glm::abs(along), glm::vec3(0.5f * s.grid.cellSize())));
        return glm::length(across) <= o.shape.radius / s.grid.cellSize() + kRounding;
    }
    if (!isAlong(turned * glm::vec3(1.0f, 0.0f, 0.0f)) || !isAlong(turned * glm::vec3(0.0f, 1.0f, 0.0f))) return false;
    const glm::vec3 half = glm::abs(turned * o.shape.half) / s.grid.cellSize();
    return glm::all(glm::lessThanEqual(beside, half + kRounding));
}

void warnOfThinBodies(const Settings& s, std::vector<Problem>& warnings) {
    const float h = s.grid.cellSize();
    for (std::size_t i = 0; i < s.obstacles.size(); ++i) {
        const ObstacleSettings& o = s.obstacles[i];
        const float thickness = thicknessOf(s, o);
        if (thickness >= leakingCells(s, o) * h || closesFaces(s, o)) continue;
        if (rests(o) && s.follow.keys.empty() && isOutside(s.grid, o)) continue;
        warnings.push_back(
            {fmt::format("obstacle[{}].{}", i, o.shape.kind == ShapeKind::Box ? "half" : "radius"),
             fmt::format("the body is {:.3g} m thick, less than {} cells of {:.3g} m, so {}: use a finer grid or a thicker body", thickness,
                         leakingCells(s, o), h,
                         s.usesLiquid() ? "liquid may pass through it" : "smoke may pass through it; crossed_mass says how much does")});
    }
}

/// How far gas that an emitter cools moves in a time [m], as far as the settings tell.
double movedBy(const Settings& s, const EmitterSettings& e, double time) {
    const bool hasWind = std::ranges::find(s.grid.sides, Side::Inflow) != s.grid.sides.end();
    const float wind = hasWind ? glm::length(s.flow.inflow) : 0.0f, own = e.hasVelocity ? glm::length(e.velocity) : 0.0f;
    const double falls = static_cast<double>(std::abs(s.flow.buoyancy)) *
                         (std::abs(static_cast<double>(e.temperature)) / 2.0 - static_cast<double>(e.temperatureRate) * time / 6.0);
    return (static_cast<double>(std::max(wind, own)) + falls * time) * time;
}

/// Nothing ends the cooling at a negative rate. With a minimum temperature, gas is as warm as that before it is cooled in each step.
void warnOfCooling(const Settings& s, std::vector<Problem>& warnings) {
    for (std::size_t i = 0; i < s.emitters.size(); ++i) {
        const EmitterSettings& e = s.emitters[i];
        if (e.temperatureRate >= 0.0f || e.temperature > 0.0f || e.shape.kind == ShapeKind::Volume) continue;
        const double time = -static_cast<double>(s.flow.ambient + e.temperature) / static_cast<double>(e.temperatureRate);
        const glm::vec3 size = e.shape.kind == ShapeKind::Mesh ? s.grid.size : 2.0f * halfSize(e.shape);
        if (movedBy(s, e, time) >= static_cast<double>(std::max({size.x, size.y, size.z}))) continue;
        warnings.push_back(
            {fmt::format("emitter[{}].temperature_rate", i),
             fmt::format("is {} K/s: gas that stays in the emitter is below absolute zero after {:.3g} s. For gas of a certain "
                         "temperature set `temperature` instead",
                         e.temperatureRate, time)});
    }
}

}  // namespace

std::vector<Problem> sceneWarnings(const Settings& s) {
    std::vector<Problem> warnings = meshWarnings(s);
    const auto addNotes = [&](const char* list, const auto& sources) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (!sources[i].volume.frames) continue;
            for (const std::string& note : sources[i].volume.frames->notes())
                warnings.push_back({fmt::format("{}[{}].file", list, i), note});
        }
    };
    addNotes("emitter", s.emitters);
    addNotes("initial", s.initial);
    warnOfThinBodies(s, warnings);
    for (std::size_t i = 0; i < s.emitters.size(); ++i) {
        const EmitterSettings& e = s.emitters[i];
        if (!s.follow.keys.empty() || !e.keys.empty()) continue;                         // it may get into the box
        if (e.shape.kind == ShapeKind::Mesh || e.rotation != glm::vec3(0.0f)) continue;  // meshWarnings looks at meshes
        if (!isOutside(s.grid, e.shape)) continue;
        const glm::vec3 low = s.grid.origin, high = low + s.grid.size;
        warnings.push_back({fmt::format("emitter[{}].centre", i),
                            fmt::format("the emitter is outside the box and has no effect: the box is from [{}, {}, {}] to [{}, {}, {}]",
                                        low.x, low.y, low.z, high.x, high.y, high.z)});
    }
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (isCovered(s, s.emitters[i]))
            warnings.push_back({fmt::format("emitter[{}].centre", i),
                                "the emitter is inside an obstacle, which covers all of its cells: it "
                                "has no effect. Move it, or make it larger than the obstacle"});
    warnOfCooling(s, warnings);
    std::ranges::copy(flowWarnings(s), std::back_inserter(warnings));
    if (isEmpty(s))
        warnings.push_back(
            {"emitter", "the scene has no emitter, no initial smoke and no obstacle: nothing will be seen; add an [[emitter]]"});
    const CameraSettings usual;
    if (!s.camera.keys.empty() && (s.camera.eye != usual.eye || s.camera.target != usual.target))
        warnings.push_back(
            {"camera.keys", "replace camera.eye and camera.target, which have no effect: remove them, or the keys with camera.keys = []"});
    if (s.environment.groundRadius > 0.0f && !s.environment.ground)
        warnings.push_back({"environment.ground_radius", "has no effect without environment.ground = true"});
    return warnings;
}

}  // namespace wisp
