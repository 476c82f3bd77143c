// SPDX-License-Identifier: MIT
#include "shaders/shared/tracers.h"

#include "compute/smoke/smoke_passes.h"

namespace wisp {
namespace {

gpu::TracersPush tracersPush(const Settings& s, std::uint64_t step, glm::ivec3 scrolled) {
    return {.count = s.tracers.count,
            .lifetime = s.tracers.lifetime,
            .seed = s.seed,
            .step = static_cast<std::uint32_t>(step),
            .scrolled = scrolled};
}

}  // namespace

void recordTracersAtStart(engine::Recorder& rec, Smoke& smoke, const Settings& s) {
    if (s.tracers.count == 0) return;
    rec.clear(smoke.tracers, 0);
    rec.dispatch("start_tracers", {s.tracers.count, 1, 1}, {{"tracers", smoke.tracers}}, tracersPush(s, 0, {}));
}

void recordTracers(engine::Recorder& rec, const Flow& flow, Smoke& smoke, const Settings& s, std::uint64_t step, glm::ivec3 scrolled) {
    if (s.tracers.count > 0)
        rec.dispatch("move_tracers", {s.tracers.count, 1, 1},
                     {{"tracers", smoke.tracers},
                      {"velocity", flow.divergenceFree()},
                      {"coarseVelocity", engine::Traffic::none(flow.coarseDivergenceFree())}},
                     tracersPush(s, step, scrolled));
}

}  // namespace wisp
