// SPDX-License-Identifier: MIT
// What a host gives to a simulation between its steps.
#include "api/guarded.h"
#include "api/handles.h"
#include "api/simulation_impl.h"
#include "compute/scene/scene_fluid.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace wisp {
namespace {

/// @throws Error Argument naming the member.
void requireRange(const char* member, float value, float low, float high) {
    if (!(value >= low && value <= high))
        throw Error(ErrorCode::Argument, std::isinf(high)
                                             ? fmt::format("BrushStroke: {} is {}; must be {} or more", member, value, low)
                                             : fmt::format("BrushStroke: {} is {}; must be {} to {}", member, value, low, high));
}

void requireStroke(const BrushStroke& s) {
    constexpr float kMost = std::numeric_limits<float>::max();
    (void)vectorOf(s.from, "BrushStroke: from");
    (void)vectorOf(s.to, "BrushStroke: to");
    if (s.velocity) (void)vectorOf(*s.velocity, "BrushStroke: velocity");
    if (!(s.radius > 0.0f && s.radius <= kMost))
        throw Error(ErrorCode::Argument, fmt::format("BrushStroke: radius is {}; must be above 0", s.radius));
    for (const auto& [member, value] : {std::pair("density", s.density), {"temperature", s.temperature}, {"force", s.force}})
        if (!std::isfinite(value)) throw Error(ErrorCode::Argument, fmt::format("BrushStroke: {} is {}; must be finite", member, value));
    requireRange("fuel", s.fuel, 0.0f, 1.0f);
    for (const float c : s.colour) requireRange("colour", c, 0.0f, 1.0f);
}

EmitterSettings emitterOf(const BrushStroke& s, const Settings& scene) {
    const glm::vec3 from(s.from[0], s.from[1], s.from[2]), to(s.to[0], s.to[1], s.to[2]);
    EmitterSettings e;
    e.shape = {.kind = ShapeKind::Capsule, .centre = 0.5f * (from + to), .radius = s.radius, .half = 0.5f * (to - from)};
    e.hasVelocity = s.velocity.has_value();
    if (s.velocity) e.velocity = {(*s.velocity)[0], (*s.velocity)[1], (*s.velocity)[2]};
    fillWithFluid(e, scene,
                  {.density = s.density, .temperature = s.temperature, .colour = {s.colour[0], s.colour[1], s.colour[2]}, .fuel = s.fuel});
    return e;
}

}  // namespace

void Simulation::Impl::paint(const BrushStroke& s) {
    const glm::vec3 colour(s.colour[0], s.colour[1], s.colour[2]);
    if (colour != glm::vec3(1.0f) && !settings.usesColour()) {
        Settings wanted = settings;
        wanted.coloured = true;
        use(std::move(wanted));
    }
    fromHost.strokes.push_back(s);
}

void paintInto(FluidSimulator& simulator, const BrushStroke& s, const Settings& settings) {
    if (!settings.grid.isFlat()) return simulator.paint(emitterOf(s, settings));
    const StrokeSettings stroke{.radius = s.radius,
                                .force = s.force,
                                .density = s.density,
                                .temperature = s.temperature,
                                .fuel = s.fuel,
                                .colour = {s.colour[0], s.colour[1], s.colour[2]}};
    simulator.paint(stroke, {vectorOf(s.from, "from"), vectorOf(s.to, "to")});
}

void Simulation::Impl::follow(glm::vec3 position) {
    if (settings.follow.keys.empty())
        throw Error(ErrorCode::Unsupported, "the box of this scene follows no target: give it follow.keys",
                    {{"", 0, 0, "follow.keys", "is not set"}});
    const std::optional<glm::vec3> before = std::exchange(fromHost.target, position);
    try {
        setByHost();
    } catch (...) {
        fromHost.target = before;
        throw;
    }
}

void Simulation::clear() {
    guarded([&] {
        const Call call(*impl_);
        impl_->clear();
    });
}

void Simulation::paint(const BrushStroke& stroke) {
    guarded([&] {
        const Call call(*impl_);
        requireStroke(stroke);
        impl_->paint(stroke);
    });
}

void Simulation::follow(const std::array<float, 3>& target) {
    guarded([&] {
        const Call call(*impl_);
        impl_->follow(vectorOf(target, "the target of the box"));
    });
}

bool Simulation::knowsExact() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->simulator.knowsExact();
    });
}

}  // namespace wisp
