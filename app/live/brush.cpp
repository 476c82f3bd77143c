// SPDX-License-Identifier: MIT
#include "app/live/brush.h"

#include "app/live/hand.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>

namespace wisp::app {

std::optional<glm::vec3> Stroke::place(const Ray& ray) const {
    if (!plane_) return std::nullopt;
    const std::optional<float> t = meetPlane(ray, *plane_, normal_);
    return t ? std::optional(ray.origin + *t * ray.direction) : std::nullopt;
}

std::vector<EmitterSettings> Stroke::part(const BrushSettings& brush, std::uint32_t step, std::uint32_t steps, float dt) const {
    std::vector<EmitterSettings> painted;
    if (!plane_ || rays_.empty()) return painted;
    std::vector<glm::vec3> places;
    for (const Ray& ray : rays_)
        if (const auto x = place(ray)) places.push_back(*x);
    if (places.empty()) return painted;
    if (places.size() == 1) places.push_back(places.front());

    // The polyline through all places, cut into `steps` parts of equal length.
    float length = 0.0f;
    for (std::size_t i = 1; i < places.size(); ++i) length += glm::distance(places[i - 1], places[i]);
    const float from = length * static_cast<float>(step) / static_cast<float>(steps), to = length * static_cast<float>(step + 1) / static_cast<float>(steps);
    float before = 0.0f;
    for (std::size_t i = 1; i < places.size(); ++i) {
        const float edge = glm::distance(places[i - 1], places[i]), after = before + edge;
        const float a = std::clamp(from, before, after), b = std::clamp(to, before, after);
        const bool resting = length == 0.0f && i == 1;
        if (b > a || resting) {
            const auto at = [&](float s) { return edge > 0.0f ? glm::mix(places[i - 1], places[i], (s - before) / edge) : places[i]; };
            const glm::vec3 first = at(a), last = at(b);
            glm::vec3 velocity = brush.strength * (last - first) / std::max(dt * (b - a) / std::max(to - from, 1e-9f), 1e-6f);
            if (const float speed = glm::length(velocity); speed > kMaxBrushSpeed) velocity *= kMaxBrushSpeed / speed;
            EmitterSettings e;
            e.shape = {.kind = ShapeKind::Capsule, .centre = 0.5f * (first + last), .radius = brush.radius, .half = 0.5f * (last - first)};
            e.velocity = velocity;
            e.hasVelocity = brush.strength > 0.0f && !resting;
            e.density = brush.density;
            e.colour = brush.colour;
            e.temperature = brush.temperature;
            painted.push_back(e);
        }
        before = after;
    }
    return painted;
}

void Stroke::end() {
    if (plane_ && !rays_.empty()) rays_ = {rays_.back()};
}

}  // namespace wisp::app
