// SPDX-License-Identifier: MIT
#include "compute/scene/flow_warnings.h"

#include "compute/scene/parts_of_step.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace wisp {
namespace {

double lengthOf(glm::vec3 v) { return static_cast<double>(glm::length(v)); }

bool hasSide(const Settings& s, Side side) {
    for (std::size_t n = 0; n < 6; ++n)
        if (s.grid.side(n) == side) return true;
    return false;
}

/// Whether anything besides the ambient flow moves the air.
bool isDriven(const Settings& s) {
    const auto flows = [&](const auto& source) {
        return (s.flow.buoyancy != 0.0f && source.temperature != 0.0f) || (s.flow.weight != 0.0f && source.density != 0.0f);
    };
    return s.usesFuel() || !s.strokes.empty() ||
           std::ranges::any_of(s.emitters,
                               [&](const EmitterSettings& e) {
                                   return e.setsVelocity() || flows(e) || (s.flow.buoyancy != 0.0f && e.temperatureRate != 0.0f) ||
                                          (s.flow.weight != 0.0f && e.densityRate != 0.0f);
                               }) ||
           std::ranges::any_of(s.initial, [&](const InitialSettings& i) { return i.velocity != glm::vec3(0.0f) || flows(i); }) ||
           obstaclesMove(s);
}

void warnOfAmbientFlow(const Settings& s, std::vector<Problem>& warnings) {
    const FlowSettings& flow = s.flow;
    const bool enters = hasSide(s, Side::Inflow),
               starts = std::ranges::any_of(s.initial, [](const InitialSettings&i) { return i.velocity != glm::vec3(0.0f); });
    const bool blows = flow.inflow != glm::vec3(0.0f) && (enters || starts || !s.follow.keys.empty());
    if (flow.inflowDensity > 0.0f && !enters)
        warnings.push_back({"flow.inflow_density", "has no effect: no side of grid.sides is \"inflow\""});
    if (flow.inflow != glm::vec3(0.0f) && s.usesLiquid()) {
        warnings.push_back({"flow.inflow", "has no effect in a scene with liquid"});
    } else if (flow.inflow != glm::vec3(0.0f) && !blows) {
        const glm::vec3 size = glm::abs(flow.inflow);
        const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
        warnings.push_back(
            {"flow.inflow", fmt::format("makes no wind: no side is \"inflow\", the box follows no target, and nothing starts with a "
                                        "velocity. It is only the velocity of air that something else draws in through open sides. For "
                                        "wind set grid.sides.{}{} = \"inflow\"",
                                        "xyz"[axis], flow.inflow[axis] > 0.0f ? 0 : 1)});
    }
    if (flow.gust > 0.0f && (s.usesLiquid() || (!blows && s.follow.keys.empty() && !isDriven(s))))
        warnings.push_back({"flow.gust", "has no effect: nothing moves air into the box"});
}

double pathSpeed(const std::vector<PathKey>& keys) {
    double speed = 0.0;
    for (std::size_t k = 1; k < keys.size(); ++k)
        speed = std::max(speed, lengthOf(keys[k].centre - keys[k - 1].centre) / static_cast<double>(keys[k].t - keys[k - 1].t));
    return speed;
}

/// Speed [m/s] of gas of this temperature that rises through the box. Half of that of a free fall: it drags air along.
double risingSpeed(const Settings& s, float temperature) {
    const float lift = s.usesFuel() ? temperature * s.flow.ambient / std::max(s.flow.ambient + temperature, 1.0f) : temperature;
    return 0.5 * std::sqrt(2.0 * std::abs(static_cast<double>(s.flow.buoyancy) * static_cast<double>(lift)) *
                           static_cast<double>(std::max({s.grid.size.x, s.grid.size.y, s.grid.size.z})));
}

struct Fastest {
    std::string key;
    double speed = 0.0;  ///< [m/s]
    void take(std::string name, double value) {
        if (value > speed) *this = {std::move(name), value};
    }
};

/// What moves smoke fastest, as far as the settings tell.
Fastest fastestOf(const Settings& s) {
    Fastest fastest;
    for (std::size_t i = 0; i < s.emitters.size(); ++i) {
        const EmitterSettings& e = s.emitters[i];
        const std::string path = fmt::format("emitter[{}]", i);
        if (e.hasVelocity) fastest.take(path + ".velocity", lengthOf(e.velocity));
        fastest.take(path + ".inherit_velocity", std::abs(static_cast<double>(e.inheritVelocity)) * pathSpeed(e.keys));
        if (e.shape.kind != ShapeKind::Volume) fastest.take(path + ".temperature", risingSpeed(s, e.temperature));
    }
    for (std::size_t i = 0; i < s.initial.size(); ++i) {
        const std::string path = fmt::format("initial[{}]", i);
        fastest.take(path + ".velocity", lengthOf(s.initial[i].velocity));
        if (s.initial[i].shape.kind != ShapeKind::Volume) fastest.take(path + ".temperature", risingSpeed(s, s.initial[i].temperature));
    }
    for (std::size_t i = 0; i < s.obstacles.size(); ++i) {
        const ObstacleSettings& o = s.obstacles[i];
        const std::string path = fmt::format("obstacle[{}]", i);
        if (o.shape.kind == ShapeKind::Mesh && s.meshes[o.shape.mesh]->motion) continue;  // meshWarnings looks at meshes
        fastest.take(path + (o.keys.empty() ? ".velocity" : ".keys"), std::max(obstacleSpeed(s, o, 0.0), pathSpeed(o.keys)));
    }
    if (hasSide(s, Side::Inflow) || !s.follow.keys.empty()) fastest.take("flow.inflow", lengthOf(s.flow.inflow));
    if (s.usesFuel()) fastest.take("fire.heat", risingSpeed(s, s.fire.heat));
    return fastest;
}

}  // namespace

std::vector<Problem> flowWarnings(const Settings& s) {
    std::vector<Problem> warnings;
    warnOfAmbientFlow(s, warnings);
    // A prescribed velocity is exact in any step, and a liquid is computed in parts of a step.
    if (s.prescribed.field != PrescribedField::None || s.usesLiquid()) return warnings;
    const Fastest fastest = fastestOf(s);
    const double cells = fastest.speed * static_cast<double>(s.timeStep) / static_cast<double>(s.grid.cellSize());
    if (cells > kManyCells)
        warnings.push_back(
            {"time.step", fmt::format("is {} s, in which {} moves smoke by about {:.3g} cells: the motion is inaccurate "
                                      "beyond {} cells, and smoke may pass through obstacles. Use at most {:.2g} s",
                                      s.timeStep, fastest.key, cells, kManyCells, static_cast<double>(s.timeStep) * kManyCells / cells)});
    return warnings;
}

}  // namespace wisp
