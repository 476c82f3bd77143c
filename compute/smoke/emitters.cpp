// SPDX-License-Identifier: MIT
#include "compute/scene/motion.h"
#include "compute/smoke/smoke_passes.h"

#include <cmath>

namespace wisp {
namespace {

using engine::Traffic;

/// What the emitter adds in a step is shared among the `positions` of that step.
gpu::ShapePush emitterPush(const EmitterSettings& e, const GridSettings& grid, std::size_t positions) {
    const auto share = static_cast<float>(positions);
    return {.shape = {},
            .first = {},
            .density = e.density,
            .densityRate = e.densityRate / share,
            .temperature = e.temperature,
            .temperatureRate = e.temperatureRate / share,
            .fuel = e.fuel,
            .fuelRate = e.fuelRate / share,
            .velocity = e.velocity,
            .field = WISP_FIELD_SHAPE,
            .colour = e.colour,
            .shell = emitterShell(e, grid)};
}

gpu::VolumeAmounts volumePush(const EmitterSettings& e) {
    return {.first = {},
            .density = e.density,
            .densityRate = e.densityRate,
            .temperature = e.temperature,
            .temperatureRate = e.temperatureRate,
            .fuel = e.fuel,
            .fuelRate = e.fuelRate,
            .colour = e.colour};
}

gpu::JetPush jetPush(const EmitterSettings& e, const Settings& s, std::uint32_t seed, double time) {
    const glm::dvec3 distance = glm::dvec3(e.velocity) * (time / static_cast<double>(e.turbulenceScale)), cells = glm::floor(distance);
    const auto wrapped = [](double cell) {  // the period of the noise is 2^32
        return static_cast<int>(static_cast<std::uint32_t>(static_cast<std::int64_t>(std::fmod(cell, 4294967296.0))));
    };
    return {.shape = {},
            .first = {},
            .velocity = (e.hasVelocity ? e.velocity : glm::vec3(0.0f)) +
                        e.inheritVelocity * emitterMotion(e, time, static_cast<double>(s.timeStep)),
            .turbulence = e.turbulence,
            .turbulenceScale = e.turbulenceScale,
            .carried = glm::vec3(distance - cells),
            .carriedCells = {wrapped(cells.x), wrapped(cells.y), wrapped(cells.z)},
            .seed = static_cast<int>(seed),
            .shell = emitterShell(e, s.grid),
            .inherit = e.inheritVelocity};
}

}  // namespace

void recordSources(engine::Recorder& rec, const Domain& d, Smoke& smoke, const Settings& s, std::span<const EmitterSettings> emitters,
                   double time, double dt) {
    const float edge = s.grid.cellSize() / static_cast<float>(s.grid.scalarRatio);
    for (const EmitterSettings& e : emitters) {
        if (e.volume.frames) {
            smoke.volumes.record(rec, d, smoke.volumeTarget(), e.shape, e.volume, volumePush(e), time + dt);
            continue;
        }
        const std::vector<Shape> shapes = emitterShapes(e, s.grid, time, dt);
        gpu::ShapePush push = emitterPush(e, s.grid, shapes.size());
        for (const Shape& shape : shapes) {
            push.shape = emitterData(e, shape, s.grid, d.meshes.grids());
            const CellBox box = cellsTouched(push.shape, s.grid, edge, d.scalarCells(), push.shell);
            push.first = box.first;
            const auto inBox = [&](const engine::Image& image) {
                return Traffic::texels(image, std::uint64_t{box.size.x} * box.size.y * box.size.z);
            };
            if (smoke.hasColours()) {
                rec.dispatch("emit_colours", box.size,
                             {{"scalarsIn", inBox(smoke.scalars[0])},
                              {"aperture", inBox(d.aperture)},
                              {"coloursIn", inBox(smoke.colours[0])},
                              {"coloursOut", inBox(smoke.colours[0])}},
                             push);
            }
            rec.dispatch("emit_scalars", box.size,
                         {{"scalarsIn", inBox(smoke.scalars[0])}, {"aperture", inBox(d.aperture)}, {"scalarsOut", inBox(smoke.scalars[0])}},
                         push);
        }
    }
}

void recordJets(engine::Recorder& rec, const Domain& d, Flow& flow, const Settings& s, std::span<const EmitterSettings> emitters,
                double time) {
    for (std::uint32_t n = 0; n < emitters.size(); ++n) {
        const EmitterSettings& e = emitters[n];
        if (!e.setsVelocity()) continue;
        gpu::JetPush jet = jetPush(e, s, s.seed + n, time);
        for (const Shape& shape : emitterShapes(e, s.grid, time, static_cast<double>(s.timeStep))) {
            jet.shape = emitterData(e, shape, s.grid, d.meshes.grids());
            const CellBox faceBox = cellsTouched(jet.shape, s.grid, s.grid.cellSize(), d.faces(), jet.shell);
            jet.first = faceBox.first;
            const auto velocity = Traffic::texels(flow.velocity, std::uint64_t{faceBox.size.x} * faceBox.size.y * faceBox.size.z);
            rec.dispatch("emit_velocity", faceBox.size, {{"velocityIn", velocity}, {"velocityOut", velocity}}, jet);
        }
    }
}

void recordWhiteColours(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    rec.dispatch("white_colours", d.storedScalarCells(), {{"scalarsIn", smoke.scalars[0]}, {"coloursOut", smoke.colours[0]}});
    if (d.bricks) clearScratch(rec, smoke.colours);
}

}  // namespace wisp
