// SPDX-License-Identifier: MIT
#include "compute/scene/inflow.h"
#include "compute/scene/shape_data.h"
#include "compute/smoke/smoke_passes.h"

#include <glm/gtc/packing.hpp>

#include <algorithm>

namespace wisp {
namespace {

gpu::ShapePush initialPush(const InitialSettings& i, const GridSettings& grid) {
    gpu::ShapePush push{};
    push.shape = shapeData(i.shape, grid);
    if (i.field == InitialField::Checkerboard)
        push.shape.radius = static_cast<float>(std::min(grid.cells.x, grid.cells.y)) * grid.cellSize() / static_cast<float>(i.squares);
    push.density = i.density;
    push.temperature = i.temperature;
    push.fuel = i.fuel;
    push.velocity = i.velocity;
    push.field = static_cast<int>(i.field);
    push.colour = i.colour;
    return push;
}

}  // namespace

void recordInitial(engine::Recorder& rec, const Domain& d, Flow& flow, Smoke& smoke, const Settings& s, double time) {
    flow.isProjected = false;
    for (const engine::Image* image : {&flow.velocity, &flow.scratch, &flow.projected, &smoke.scalars[0]}) rec.clear(*image, 0.0f);
    if (smoke.hasColours()) rec.clear(smoke.colours[0], 0.0f);
    if (smoke.crossed.bytes() > 0) rec.clear(smoke.crossed, 0);
    if (flow.coarse) rec.clear(flow.coarse->flow.velocity, 0.0f);
    if (!s.follow.keys.empty()) recordAmbientFlow(rec, d, flow, s, time);
    for (const InitialSettings& i : s.initial) {
        if (i.volume.frames) {
            const gpu::VolumeAmounts amounts{.density = i.density, .temperature = i.temperature, .fuel = i.fuel, .colour = i.colour};
            smoke.volumes.record(rec, d, smoke.volumeTarget(), i.shape, i.volume, amounts, time);
            smoke.volumes.recordVelocity(rec, d, flow, i.shape, i.volume, time);
            continue;
        }
        const gpu::ShapePush push = initialPush(i, s.grid);
        const engine::Image& image = smoke.initialImages.of(rec, i);
        rec.dispatch("initial_scalars", d.storedScalarCells(),
                     {{"scalarsIn", smoke.scalars[0]}, {"aperture", d.aperture}, {"initialImage", image}, {"scalarsOut", smoke.scalars[0]}},
                     push);
        if (smoke.hasColours()) {
            rec.dispatch(
                "initial_colours", d.storedScalarCells(),
                {{"coloursIn", smoke.colours[0]}, {"aperture", d.aperture}, {"initialImage", image}, {"coloursOut", smoke.colours[0]}},
                push);
        }
        rec.dispatch("initial_velocity", d.bricks ? d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE) : engine::Threads(d.faces()),
                     {{"velocityIn", flow.velocity}, {"velocityOut", flow.velocity}}, push);
        if (!flow.coarse) continue;
        const engine::Image& coarse = flow.coarse->flow.velocity;
        rec.dispatch("initial_velocity", {d.pressureFaces(), {{"kSparse", 0}}},
                     {{"stepData", flow.coarse->step}, {"velocityIn", coarse}, {"velocityOut", coarse}}, push);
    }
    recordWrapFaces(rec, d, flow.velocity);
    if (d.bricks) rec.clear(flow.centre, 0.0f);  // samplers read texels beside a slot with a weight of 0: these must be numbers
    recordCentreVelocity(rec, d, flow, flow.velocity);
}

void recordExact(engine::Recorder& rec, const Domain& d, Smoke& smoke, const Settings& s) {
    PrescribedFlow& p = *smoke.prescribed;
    rec.dispatch("exact_ambient", d.scalarCells(), {{"departures", p.departures}, {"exactOut", p.exact}},
                 inflowPush(s, 0.0, {1.0f, 0.0f, 0.0f, 0.0f}));
    p.greatest = s.flow.inflowDensity;
    for (const InitialSettings& i : s.initial) {
        rec.dispatch(
            "exact_density", d.scalarCells(),
            {{"departures", p.departures}, {"initialImage", smoke.initialImages.of(rec, i)}, {"exactIn", p.exact}, {"exactOut", p.exact}},
            initialPush(i, s.grid));
        p.greatest = std::max(p.greatest, i.density);
    }
    if (s.grid.precision == Precision::Half)
        p.greatest = std::max(p.greatest, glm::unpackHalf1x16(glm::packHalf1x16(p.greatest)));  // as rounded in storage
}

}  // namespace wisp
