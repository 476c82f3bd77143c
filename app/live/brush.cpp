// SPDX-License-Identifier: MIT
#include "app/live/brush.h"

#include "compute/scene/scene_fluid.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>

namespace wisp::app {

std::optional<glm::vec3> Stroke::position(const Ray& ray) const {
    if (!plane_) return std::nullopt;
    const std::optional<float> t = meetPlane(ray, *plane_, normal_);
    return t ? std::optional(ray.origin + *t * ray.direction) : std::nullopt;
}

std::vector<MotionSegment> Stroke::ways(std::uint32_t step, std::uint32_t steps) const {
    std::vector<glm::vec3> points;
    for (const Ray& ray : rays_)
        if (const auto x = position(ray)) points.push_back(*x);
    if (points.empty()) return {};

    // The polyline through all points is cut into `steps` parts of equal length.
    float length = 0.0f;
    for (std::size_t i = 1; i < points.size(); ++i) length += glm::distance(points[i - 1], points[i]);
    if (length == 0.0f) return {{points.front(), points.front()}};
    const float from = length * static_cast<float>(step) / static_cast<float>(steps),
                to = length * static_cast<float>(step + 1) / static_cast<float>(steps);
    std::vector<MotionSegment> ways;
    float before = 0.0f;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const float edge = glm::distance(points[i - 1], points[i]), after = before + edge;
        const float a = std::clamp(from, before, after), b = std::clamp(to, before, after);
        if (b > a)
            ways.push_back(
                {glm::mix(points[i - 1], points[i], (a - before) / edge), glm::mix(points[i - 1], points[i], (b - before) / edge)});
        if (!ways.empty() && ways.back().from == ways.back().to) ways.pop_back();  // zero length after rounding
        before = after;
    }
    return ways;
}

std::vector<EmitterSettings> Stroke::part(const BrushSettings& brush, std::uint32_t step, std::uint32_t steps, float dt,
                                          const Settings& scene) const {
    const std::vector<MotionSegment> all = ways(step, steps);
    float length = 0.0f;
    for (const MotionSegment& way : all) length += glm::distance(way.from, way.to);
    std::vector<EmitterSettings> painted;
    for (const MotionSegment& way : all) {
        const float speed = std::min(brush.strength * length / std::max(dt, 1e-6f), kMaxBrushSpeed);
        EmitterSettings e;
        e.shape = {
            .kind = ShapeKind::Capsule, .centre = 0.5f * (way.from + way.to), .radius = brush.radius, .half = 0.5f * (way.to - way.from)};
        e.hasVelocity = speed > 0.0f && way.from != way.to;
        if (e.hasVelocity) e.velocity = speed * glm::vec3(glm::normalize(glm::dvec3(way.to) - glm::dvec3(way.from)));
        fillWithFluid(e, scene, {.density = brush.density, .temperature = brush.temperature, .colour = brush.colour});
        painted.push_back(e);
    }
    return painted;
}

void Stroke::end() {
    if (plane_ && !rays_.empty()) rays_ = {rays_.back()};
}

}  // namespace wisp::app
