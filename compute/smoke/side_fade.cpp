// SPDX-License-Identifier: MIT
#include "shaders/shared/side_fade.h"
#include "compute/smoke/passes.h"

#include <algorithm>

namespace wisp {
namespace {

/// Scalar cells within `width` [cells] of open sides.
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

void recordSideFade(engine::Recorder& rec, Fields& f, const Settings& s, glm::ivec3 scrolled) {
    f.fadedKnown = s.flow.sideFade > 0.0f && !f.scalars[0].isZero();
    if (!f.fadedKnown) return;
    const float width = s.flow.sideFade / s.grid.cellSize();
    const std::uint64_t layer = layerCells(s.grid, static_cast<double>(width));
    const glm::uvec3 threads = f.stridedThreads(f.scalarCells());
    const auto fade = [&](const engine::Image& field, glm::vec4 fades) {
        const auto inLayer = part(field, layer);
        rec.dispatch("side_fade", threads,
                     {{"back", f.back},
                      {"openness", part(f.openness, layer)},
                      {"scalarsIn", inLayer},
                      {"scalarsOut", inLayer},
                      {"partialsOut", f.partials}},
                     gpu::SideFadePush{.fades = fades, .scrolled = glm::vec3(scrolled), .width = width});
    };
    if (f.hasColours()) fade(f.colours[0], {1.0f, 1.0f, 1.0f, 0.0f});
    fade(f.scalars[0], {1.0f, 0.0f, 0.0f, 0.0f});  // last: the sums that it leaves are those of density
    recordFold(rec, f, threads, f.record(Record::Faded));
}

}  // namespace wisp
