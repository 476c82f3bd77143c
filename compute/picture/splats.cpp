// SPDX-License-Identifier: MIT
#include "compute/picture/splats.h"

#include "compute/picture/colour_map.h"
#include "compute/scene/ambient_flow.h"
#include "shaders/shared/splats.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace wisp {
namespace {

constexpr float kFade = 0.1f;  // share of a tracer's lifetime, at its end, in which it shrinks

std::vector<glm::vec3> splatColours(const Settings& s) {
    const ColourMap map = sequentialMap();
    std::vector<glm::vec3> colours;
    const auto share = [](std::uint32_t n) { return static_cast<float>(n) / static_cast<float>(WISP_SPLAT_COLOURS - 1u); };
    // Without the dark end of the map, which is invisible in front of a dark lawn.
    for (std::uint32_t n = 0; n < WISP_SPLAT_COLOURS; ++n) colours.push_back(s.tracers.brightness * colourAt(map, 0.3f + 0.7f * share(n)));
    for (std::uint32_t n = 0; n < WISP_SPLAT_COLOURS; ++n) colours.push_back(share(n) * s.grass.colour);
    return colours;
}

gpu::TracerSplats tracerSplats(const TracerSettings& t) {
    return {.count = t.count,
            .radius = 0.5f * WISP_SPLAT_SAMPLES * t.size,
            .arrow = t.look == TracerLook::Arrows ? t.arrow : 0.0f,
            .perSpeed = static_cast<float>(WISP_SPLAT_COLOURS) / t.speed,
            .fade = kFade * t.lifetime};
}

gpu::GrassSplats grassSplats(const Settings& s, double time) {
    const GrassSettings& g = s.grass;
    const glm::dvec3 lawn = glm::dvec3(g.high) - glm::dvec3(g.low);
    const double columns = std::clamp(std::round(std::sqrt(static_cast<double>(g.count) * lawn.x / lawn.z)), 1.0,
                                      static_cast<double>(g.count));
    const double rows = std::ceil(static_cast<double>(g.count) / columns);
    return {.air = ambientFlow(s, time),
            .columns = static_cast<std::uint32_t>(columns),
            .count = g.count,
            .step = {static_cast<float>(lawn.x / columns), static_cast<float>(lawn.z / rows)},
            .low = {g.low.x, g.low.y, g.low.z},
            .height = g.height,
            .perBend = 1.0f / g.bend,
            .seed = s.seed};
}

}  // namespace

Splats::Splats(engine::Device& device, const Settings& s) {
    if (!s.usesSplats()) return;
    const std::uint64_t samples = std::uint64_t{s.render.size.x} * s.render.size.y * WISP_SPLAT_SAMPLES * WISP_SPLAT_SAMPLES;
    picture_ = engine::Buffer(device, {.name = "splats", .bytes = samples * sizeof(std::uint32_t)});
    colours_ = engine::Buffer(device, {.name = "colours of splats", .bytes = std::uint64_t{2} * WISP_SPLAT_COLOURS * sizeof(glm::vec3)});
}

void Splats::draw(engine::Recorder& rec, const Fields& f, const Settings& s, const engine::Buffer& view, double time) {
    if (picture_.bytes() == 0) return;
    const std::vector<glm::vec3> map = splatColours(s);
    rec.update(colours_, std::as_bytes(std::span(map)));
    rec.clear(picture_, WISP_NO_SPLAT);
    if (s.tracers.count > 0)
        rec.dispatch("draw_tracers", {s.tracers.count, 1, 1},
                     {{"view", view},
                      {"velocity", f.flow.divergenceFree()},
                      {"coarseVelocity", engine::Traffic::none(f.flow.coarseDivergenceFree())},
                      {"splats", picture_},
                      {"tracers", f.smoke.tracers}},
                     tracerSplats(s.tracers));
    recordParticleSplats(rec, f, s, view, picture_);
    if (s.grass.count > 0)
        rec.dispatch("draw_grass", {s.grass.count, 1, 1},
                     {{"view", view},
                      {"velocity", f.flow.divergenceFree()},
                      {"coarseVelocity", engine::Traffic::none(f.flow.coarseDivergenceFree())},
                      {"splats", picture_}},
                     grassSplats(s, time));
}

}  // namespace wisp
