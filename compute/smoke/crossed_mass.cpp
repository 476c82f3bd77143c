// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke_passes.h"
#include "shaders/shared/crossed.h"

#include <cstring>

namespace wisp {

using engine::Traffic;

void recordCrossedMass(engine::Recorder& rec, const Domain& d, const Flow& flow, const Smoke& smoke, const gpu::CrossedPush& push) {
    if (push.bodies == 0 || smoke.scalars[0].isZero()) return;  // the second: nothing was advected
    const std::uint64_t near = countOf(d.solids.size);
    rec.dispatch("crossed_mass", d.reachableScalarCells(),
                 {{"back", flow.back},
                  {"aperture", Traffic::texels(d.aperture, near)},
                  {"apertureBefore", Traffic::texels(d.apertureAtStart(), near)},
                  {"scalarsIn", Traffic::texels(smoke.scalars[2], near)},
                  {"reached", smoke.reached},
                  {"crossed", smoke.crossed}},
                 push);
}

double crossedDensity(std::span<const std::byte> sums) {
    double all = 0.0;
    for (std::size_t n = 0; n < sums.size() / sizeof(gpu::CrossedSum); ++n) {
        gpu::CrossedSum sum{};
        std::memcpy(&sum, sums.data() + n * sizeof sum, sizeof sum);
        all += static_cast<double>(sum.high) * static_cast<double>(WISP_CROSSED_HIGH) + sum.low / static_cast<double>(WISP_CROSSED_PARTS);
    }
    return all;
}

}  // namespace wisp
