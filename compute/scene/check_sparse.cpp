// SPDX-License-Identifier: MIT
#include "compute/scene/checker.h"
#include "shaders/shared/brick_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp {
namespace {

// What a sparse simulation does not support yet: the reason, after "true, but ...", and the keys besides grid.sparse.
struct Refusal {
    bool applies;
    const char* reason;
    std::vector<std::string> keys;
};

}  // namespace

void checkSparse(Checker& check, const Settings& s) {
    const GridSettings& grid = s.grid;
    check.within("grid.threshold", grid.threshold, 0.0f, 1e6f);
    check.within("grid.vorticity_threshold", grid.vorticityThreshold, 0.0f, 1e6f);
    check.within("grid.memory", grid.memory, 0.0f, 1e6f);
    if (s.render.bricks && !grid.sparse)
        check.fail("render.bricks", "is true, but only a sparse simulation has bricks: must be false without grid.sparse = true",
                   {"grid.sparse"});
    if (s.render.bricks && s.view.slice != SliceAxis::None)
        check.fail("render.bricks", "is true, but a slice does not show bricks: must be false unless view.slice is \"none\"",
                   {"view.slice"});
    if (!grid.sparse) return;
    const bool whole = grid.pressureRatio > 0 && glm::all(glm::equal(grid.cells % grid.pressureRatio, glm::uvec3(0)));
    const AdvectionScheme scheme = s.advection.scheme;
    const std::vector<Refusal> refusals{
        {s.usesLiquid(), "a liquid fills its box", {"liquid"}},
        {grid.isFlat(), "a flat grid has no bricks", {"grid.cells"}},
        {grid.pressureRatio == 1, "with grid.pressure_ratio = 1 there is no coarse velocity for empty bricks", {"grid.pressure_ratio"}},
        {!whole, "grid.cells are not multiples of grid.pressure_ratio", {"grid.cells", "grid.pressure_ratio"}},
        {grid.periodicAxes() != 0, "the box has periodic sides", {"grid.sides"}},
        {!s.follow.keys.empty(), "the box follows a target", {"follow.keys"}},
        {s.prescribed.field != PrescribedField::None, "the velocity is prescribed", {"prescribed.field"}},
        {s.flow.viscosity > 0.0f, "the coarse grid has no viscosity", {"flow.viscosity"}},
        {s.flow.inflowDensity > 0.0f, "smoke enters through a side", {"flow.inflow_density"}},
        {scheme != AdvectionScheme::MacCormack && scheme != AdvectionScheme::Cubic,
         "the coarse velocity is advected by MacCormack, which needs advection.scheme = \"maccormack\" or \"cubic\"",
         {"advection.scheme"}},
    };
    for (const Refusal& r : refusals)
        if (r.applies) return check.fail("grid.sparse", fmt::format("is true, but {}: must be false", r.reason), r.keys);
}

}  // namespace wisp
