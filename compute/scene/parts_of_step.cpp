// SPDX-License-Identifier: MIT
#include "compute/scene/parts_of_step.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

/// Radius of the sphere around its centre that holds a body in any rotation [m].
double reachOf(const Settings& s, const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::Sphere: return 0.0;  // its surface does not move away from where it is
        case ShapeKind::Mesh: return 0.5 * glm::length(boundsOf(*s.meshes[shape.mesh]).size()) * static_cast<double>(shape.scale);
        case ShapeKind::Capsule: return static_cast<double>(glm::length(shape.half) + shape.radius);
        default: return static_cast<double>(glm::length(shape.half));
    }
}

double speedOfEmitters(std::span<const EmitterSettings> emitters) {
    double fastest = 0.0;
    for (const EmitterSettings& e : emitters)
        if (e.liquid && e.hasVelocity) fastest = std::max(fastest, static_cast<double>(glm::length(e.velocity)));
    return fastest;
}

}  // namespace

double obstacleSpeed(const Settings& s, const ObstacleSettings& o, double time) {
    constexpr int kSamples = 8;  // of a path within a step
    const double span = static_cast<double>(s.timeStep) / kSamples;
    double speed = 0.0;
    if (o.keys.empty()) speed = static_cast<double>(glm::length(o.velocity));
    else
        for (int n = 0; n < kSamples; ++n)
            speed = std::max(
                speed,
                static_cast<double>(glm::distance(obstacleCentre(o, time + n * span), obstacleCentre(o, time + (n + 1) * span))) / span);
    if (o.angularVelocity != glm::vec3(0.0f)) speed += static_cast<double>(glm::length(o.angularVelocity)) * reachOf(s, o.shape);
    if (o.shape.kind == ShapeKind::Mesh) speed += s.meshes[o.shape.mesh]->range.speed * static_cast<double>(o.shape.scale);
    return speed;
}

double partsWanted(const Settings& s, double time, std::span<const EmitterSettings> painted,
                   const std::map<std::size_t, MotionSegment>& moved) {
    if (!s.usesLiquid()) return 1.0;
    const double dt = static_cast<double>(s.timeStep), h = static_cast<double>(s.grid.cellSize());
    double set = std::max(speedOfEmitters(s.emitters), speedOfEmitters(painted));
    for (const InitialSettings& i : s.initial)
        if (i.liquid) set = std::max(set, static_cast<double>(glm::length(i.velocity)));
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        ObstacleSettings o = s.obstacles[n];
        if (const auto own = moved.find(n); own != moved.end()) {
            o.keys.clear();
            o.velocity = (own->second.to - own->second.from) / s.timeStep;
        }
        set = std::max(set, obstacleSpeed(s, o, time));
    }
    const glm::dvec3 gravity = glm::abs(glm::dvec3(s.flow.gravity));
    const double fall = 2.0 * glm::dot(gravity, glm::dvec3(s.grid.size));  // energy: v^2 = set^2 + 2 g H
    const double speed = std::sqrt(set * set + fall) + std::sqrt(kCellsInPart * h * glm::length(gravity));
    constexpr double kRounding = 1e-6;  // a motion of exactly kCellsInPart needs one part
    return std::max(std::ceil((1.0 - kRounding) * speed * dt / (kCellsInPart * h)), 1.0);
}

std::uint32_t partsOfStep(const Settings& s, double time, std::span<const EmitterSettings> painted,
                          const std::map<std::size_t, MotionSegment>& moved) {
    return static_cast<std::uint32_t>(std::min(partsWanted(s, time, painted, moved), static_cast<double>(kMostParts)));
}

}  // namespace wisp
