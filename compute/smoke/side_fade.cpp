// SPDX-License-Identifier: MIT
#include "shaders/shared/side_fade.h"
#include "compute/smoke/smoke_passes.h"

#include <algorithm>

namespace wisp {
namespace {

using engine::Traffic;

/// Number of scalar cells within `width` [fine cells] of open sides.
std::uint64_t layerCells(const GridSettings& grid, double width) {
    std::uint64_t all = 1, inner = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const auto side = 2 * static_cast<std::size_t>(axis);
        const std::uint64_t n = grid.scalarCells()[axis];
        const double layer = std::min(width * static_cast<double>(n) / grid.cells[axis], 0.5 * static_cast<double>(n));
        const auto cells = static_cast<std::uint64_t>(layer + 0.5) *
                           ((grid.side(side) == Side::Open ? 1u : 0u) + (grid.side(side + 1) == Side::Open ? 1u : 0u));
        all *= n;
        inner *= n - std::min(cells, n);
    }
    return all - inner;
}

}  // namespace

void recordSideFade(engine::Recorder& rec, const Domain& d, const Flow& flow, Smoke& smoke, const Settings& s, glm::ivec3 scrolled) {
    smoke.fadedKnown = s.flow.sideFade > 0.0f && !smoke.scalars[0].isZero();
    if (!smoke.fadedKnown) return;
    const float width = s.flow.sideFade / s.grid.cellSize();
    const std::uint64_t layer = layerCells(s.grid, static_cast<double>(width));
    const glm::uvec3 threads = d.stridedThreads(d.scalarCells());
    const auto fade = [&](const engine::Image& field, glm::vec4 fades) {
        const auto inLayer = Traffic::texels(field, layer);
        rec.dispatch("side_fade", threads,
                     {{"back", flow.back},
                      {"aperture", Traffic::texels(d.aperture, layer)},
                      {"scalarsIn", inLayer},
                      {"scalarsOut", inLayer},
                      {"partialsOut", d.partials}},
                     gpu::SideFadePush{.fades = fades, .scrolled = glm::vec3(scrolled), .width = width});
    };
    if (smoke.hasColours()) fade(smoke.colours[0], {1.0f, 1.0f, 1.0f, 0.0f});
    fade(smoke.scalars[0], {1.0f, 0.0f, 0.0f, 0.0f});  // last, so that the sums left in `partials` are those of density
    recordReduceFinal(rec, d, threads, smoke.faded);
}

}  // namespace wisp
