// SPDX-License-Identifier: MIT
#include "compute/scene/inflow.h"
#include "compute/scene/shape_data.h"
#include "compute/smoke/passes.h"

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
    push.velocity = i.velocity;
    push.field = static_cast<int>(i.field);
    push.colour = i.colour;
    return push;
}

}  // namespace

void recordInitial(engine::Recorder& rec, Fields& f, const Settings& s, double time) {
    for (const engine::Image* image : {&f.velocity, &f.scratch[0], &f.scratch[1], &f.scalars[0]}) rec.clear(*image, 0.0f);
    if (f.hasColours()) rec.clear(f.colours[0], 0.0f);
    rec.clear(f.pressure[0], 0);
    if (!s.follow.keys.empty()) recordOutsideAir(rec, f, s, time);
    for (const InitialSettings& i : s.initial) {
        const gpu::ShapePush push = initialPush(i, s.grid);
        const engine::Image& image = f.initialImages.of(rec, i);
        rec.dispatch("initial_scalars", f.scalarCells(),
                     {{"scalarsIn", f.scalars[0]}, {"openness", f.openness}, {"initialImage", image}, {"scalarsOut", f.scalars[0]}}, push);
        if (f.hasColours()) {
            rec.dispatch("initial_colours", f.scalarCells(),
                         {{"coloursIn", f.colours[0]}, {"openness", f.openness}, {"initialImage", image}, {"coloursOut", f.colours[0]}},
                         push);
        }
        rec.dispatch("initial_velocity", f.faces(), {{"velocityIn", f.velocity}, {"velocityOut", f.velocity}}, push);
    }
    recordWrapFaces(rec, f, f.velocity);
    rec.dispatch("centre_velocity", f.cells(), {{"velocity", f.velocity}, {"centreOut", f.centre}, {"centreVectors", f.centreVectors}});
}

void recordExact(engine::Recorder& rec, Fields& f, const Settings& s) {
    rec.dispatch("exact_surroundings", f.scalarCells(), {{"departures", f.departures}, {"exactOut", f.exact}},
                 inflowPush(s, 0.0, {1.0f, 0.0f, 0.0f, 0.0f}));
    f.greatest = s.flow.inflowDensity;
    for (const InitialSettings& i : s.initial) {
        rec.dispatch(
            "exact_density", f.scalarCells(),
            {{"departures", f.departures}, {"initialImage", f.initialImages.of(rec, i)}, {"exactIn", f.exact}, {"exactOut", f.exact}},
            initialPush(i, s.grid));
        f.greatest = std::max(f.greatest, i.density);
    }
    if (s.grid.precision == Precision::Half)
        f.greatest = std::max(f.greatest, glm::unpackHalf1x16(glm::packHalf1x16(f.greatest)));  // as it is stored
}

}  // namespace wisp
