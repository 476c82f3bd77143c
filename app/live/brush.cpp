// SPDX-License-Identifier: MIT
#include "app/live/brush.h"

#include "compute/scene/scene_fluid.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>

namespace wisp::app {

BrushSettings brushIn(const Settings& scene, BrushSettings brush) {
    if (!scene.usesFuel()) brush.fuel = 0.0f;
    else if (brush.ignite) brush.temperature = scene.fire.heat;  // fire.ignition is at most this
    return brush;
}

std::optional<glm::vec3> Stroke::position(const Ray& ray) const {
    if (!plane_) return std::nullopt;
    const std::optional<float> t = meetPlane(ray, *plane_, normal_);
    return t ? std::optional(ray.origin + *t * ray.direction) : std::nullopt;
}

std::vector<MotionSegment> Stroke::segments(std::uint32_t step, std::uint32_t steps) const {
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
    std::vector<MotionSegment> segments;
    float before = 0.0f;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const float edge = glm::distance(points[i - 1], points[i]), after = before + edge;
        const float a = std::clamp(from, before, after), b = std::clamp(to, before, after);
        if (b > a)
            segments.push_back(
                {glm::mix(points[i - 1], points[i], (a - before) / edge), glm::mix(points[i - 1], points[i], (b - before) / edge)});
        if (!segments.empty() && segments.back().from == segments.back().to) segments.pop_back();  // zero length after rounding
        before = after;
    }
    return segments;
}

std::vector<EmitterSettings> Stroke::part(const BrushSettings& brush, std::uint32_t step, std::uint32_t steps, float dt,
                                          const Settings& scene) const {
    const std::vector<MotionSegment> all = segments(step, steps);
    float length = 0.0f;
    for (const MotionSegment& segment : all) length += glm::distance(segment.from, segment.to);
    const BrushSettings here = brushIn(scene, brush);
    std::vector<EmitterSettings> painted;
    for (const MotionSegment& segment : all) {
        const float speed = std::min(brush.strength * length / std::max(dt, 1e-6f), kMaxBrushSpeed);
        EmitterSettings e;
        e.shape = {.kind = ShapeKind::Capsule,
                   .centre = 0.5f * (segment.from + segment.to),
                   .radius = brush.radius,
                   .half = 0.5f * (segment.to - segment.from)};
        e.hasVelocity = speed > 0.0f && segment.from != segment.to;
        if (e.hasVelocity) e.velocity = speed * glm::vec3(glm::normalize(glm::dvec3(segment.to) - glm::dvec3(segment.from)));
        fillWithFluid(e, scene, {.density = here.density, .temperature = here.temperature, .colour = here.colour, .fuel = here.fuel});
        painted.push_back(e);
    }
    return painted;
}

void Stroke::end() {
    if (plane_ && !rays_.empty()) rays_ = {rays_.back()};
}

}  // namespace wisp::app
