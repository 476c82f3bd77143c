// SPDX-License-Identifier: MIT
#include "app/live/picking.h"

#include "app/live/target.h"
#include "compute/scene/motion.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

glm::quat turnOf(const ObstacleSettings& o, double time) {
    const auto by = [](glm::vec3 axis) {
        const float angle = glm::length(axis);
        return angle == 0.0f ? glm::quat(1, 0, 0, 0) : glm::angleAxis(angle, axis / angle);
    };
    return by(o.angularVelocity * static_cast<float>(time)) * by(o.rotation);
}

/// Signed distance to a shape centred at the origin.
float distanceTo(const Shape& s, glm::vec3 half, glm::vec3 x) {
    switch (s.kind) {
        case ShapeKind::Sphere: return glm::length(x) - s.radius;
        case ShapeKind::Capsule: {
            const float t = std::clamp(glm::dot(x, s.half) / std::max(glm::dot(s.half, s.half), 1e-20f), -1.0f, 1.0f);
            return glm::length(x - t * s.half) - s.radius;
        }
        case ShapeKind::Box:
        case ShapeKind::Volume:
        case ShapeKind::Mesh: {
            const glm::vec3 q = glm::abs(x) - half;
            return glm::length(glm::max(q, 0.0f)) + std::min(std::max({q.x, q.y, q.z}), 0.0f);
        }
    }
    return 0.0f;
}

std::optional<float> meetShape(const Shape& s, glm::vec3 half, glm::vec3 centre, const glm::quat& turn, const Ray& ray) {
    const glm::quat back = glm::conjugate(turn);
    const glm::vec3 x = back * (ray.origin - centre), d = back * ray.direction;
    const float reach = glm::length(x) + glm::length(half) + s.radius;
    float t = 0.0f;
    for (int i = 0; i < 256 && t < 2.0f * reach; ++i) {
        const float phi = distanceTo(s, half, x + t * d);
        if (phi < 1e-4f * (1.0f + t)) return t;
        t += phi;
    }
    return std::nullopt;
}

}  // namespace

float radiusOf(const Shape& s) {
    if (s.kind == ShapeKind::Sphere) return s.radius;
    return glm::length(s.half) + (s.kind == ShapeKind::Capsule ? s.radius : 0.0f);
}

Shape shapeOf(const Settings& s, const ObjectRef& g) {
    if (g.kind == ObjectRef::Kind::Target) return {.radius = targetRadius(s.grid)};
    return g.kind == ObjectRef::Kind::Obstacle ? s.obstacles.at(g.index).shape : s.emitters.at(g.index).shape;
}

glm::vec3 centreOf(const Settings& s, const ObjectRef& g, double time) {
    if (g.kind == ObjectRef::Kind::Emitter) return emitterCentre(s.emitters.at(g.index), time);
    if (g.kind == ObjectRef::Kind::Target) return targetPosition(s.follow, time);
    const ObstacleSettings& o = s.obstacles.at(g.index);
    return obstacleCentre(o, time);
}

std::optional<PickHit> touch(const Settings& s, double time, const Ray& ray) {
    std::optional<PickHit> nearest;
    const auto test = [&](const ObjectRef& grip, const glm::quat& turn, float before) {
        const Shape shape = shapeOf(s, grip);
        glm::vec3 half = shape.half;
        if (shape.kind == ShapeKind::Mesh) half = glm::vec3(boundsOf(*s.meshes.at(shape.mesh)).size() * 0.5) * shape.scale;
        const std::optional<float> t = meetShape(shape, half, centreOf(s, grip, time), turn, ray);
        if (t && (!nearest || *t < nearest->distance - before)) nearest = PickHit{grip, *t};
    };
    for (std::size_t i = 0; i < s.obstacles.size(); ++i) test({ObjectRef::Kind::Obstacle, i}, turnOf(s.obstacles[i], time), 0.0f);
    // Obstacles may be inside emitters: an obstacle is picked before the emitter around it.
    const std::optional<PickHit> obstacle = nearest;
    for (std::size_t i = 0; i < s.emitters.size(); ++i) {
        const Shape& shape = s.emitters[i].shape;
        test({ObjectRef::Kind::Emitter, i}, emitterRotation(s.emitters[i]),
             obstacle ? 2.0f * (glm::length(shape.half) + shape.radius) : 0.0f);
    }
    if (const std::optional<PickHit> target = pickTarget(s, time, ray))
        if (!nearest || target->distance < nearest->distance - (obstacle ? 2.0f * targetRadius(s.grid) : 0.0f)) nearest = target;
    return nearest;
}

std::optional<PickHit> pickTarget(const Settings& s, double time, const Ray& ray) {
    if (s.follow.keys.empty()) return std::nullopt;
    const ObjectRef grip{ObjectRef::Kind::Target};
    const std::optional<float> t = meetShape(shapeOf(s, grip), glm::vec3(0.0f), centreOf(s, grip, time), glm::quat(1, 0, 0, 0), ray);
    return t ? std::optional(PickHit{grip, *t}) : std::nullopt;
}

Drag::Drag(const ObjectRef& grip, glm::vec3 centre, const Ray& ray, float distance, glm::vec3 viewDirection)
    : grip_(grip), grabbed_(ray.origin + distance * ray.direction), offset_(centre - grabbed_), normal_(viewDirection) {}

glm::vec3 Drag::target(const Ray& ray, Axis axis) {
    if (axis == Axis::Plane) {
        if (const std::optional<float> t = meetPlane(ray, grabbed_, normal_)) grabbed_ = ray.origin + *t * ray.direction;
    } else {
        // Point nearest to the ray on the axis through the grabbed point.
        glm::vec3 a(0.0f);
        a[static_cast<int>(axis) - 1] = 1.0f;
        const float b = glm::dot(a, ray.direction), square = 1.0f - b * b;
        const glm::vec3 w = grabbed_ - ray.origin;
        if (square > 1e-4f) grabbed_ += a * ((b * glm::dot(ray.direction, w) - glm::dot(a, w)) / square);
    }
    return grabbed_ + offset_;
}

void Drag::push(const Ray& ray, float metres) { grabbed_ += metres * ray.direction; }

}  // namespace wisp::app
