// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"

#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp {

float presmoothOmega(int k, std::uint32_t ratio) {
    const double low = 2.0 / (ratio * ratio), high = 2.0, angle = glm::pi<double>() * (2.0 * k + 1.0) / (2.0 * ratio);
    return static_cast<float>(2.0 / (high + low + (high - low) * std::cos(angle)));
}

void recordPresmooth(engine::Recorder& rec, const Domain& d, PressureSystem& s, Flow& flow) {
    const std::uint32_t r = d.grid.pressureRatio;
    if (r == 1) return;
    const auto elements = static_cast<std::uint32_t>(d.flowElements(countOf(d.cells())));
    const engine::Threads cells = d.inRounds(d.storedCells(0, d.cubes()), kCellRounds), boxes = d.inRounds(d.storedCells(), kCellRounds);
    const glm::uvec3 dense{d.cells().x, d.cells().y, (d.cells().z + WISP_COLUMN - 1) / WISP_COLUMN};
    const engine::Threads columns = d.bricks ? cells : engine::Threads(dense);
    const engine::Binding open{"aperture", engine::Traffic::none(d.aperture)}, smooth{"smoothFaces", s.blocks.smoothFaces};
    const auto floats = [&](const engine::Buffer& b) { return engine::Traffic::bytes(b, elements * sizeof(float)); };
    const engine::Buffer &excess = flow.back, &odd = flow.ahead;
    rec.dispatch(
        "presmooth_divergence", boxes,
        {open, smooth, {"velocity", flow.velocity}, {"projected", engine::Traffic::none(flow.projected)}, {"excess", floats(excess)}});
    // Sweep 0 starts from 0, so it only scales e. The last one leaves its result in s.potential.
    for (int k = 1; k < static_cast<int>(r); ++k) {
        const engine::Buffer &from = k == 1 ? excess : k % 2 == 0 ? s.potential : odd, &to = k % 2 == 0 ? odd : s.potential;
        rec.dispatch("presmooth_pressure", columns,
                     {open, smooth, {"excess", floats(excess)}, {"potential", floats(from)}, {"potentialOut", floats(to)}},
                     PresmoothPush{k == 1 ? presmoothOmega(0, r) : 1.0f, presmoothOmega(k, r)});
    }
}

}  // namespace wisp
