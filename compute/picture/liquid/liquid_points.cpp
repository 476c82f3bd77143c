// SPDX-License-Identifier: MIT
#include "compute/picture/splats.h"
#include "shaders/shared/liquid/liquid_splats.h"

namespace wisp {

void recordParticleSplats(engine::Recorder& rec, const Fields& f, const Settings& s, const engine::Buffer& view,
                          const engine::Buffer& splats) {
    if (!f.liquid || s.liquid.look != LiquidLook::Points) return;
    const gpu::LiquidSplats push{.radius = 0.5f * WISP_SPLAT_SAMPLES * s.liquid.size,
                                 .perSpeed = static_cast<float>(WISP_SPLAT_COLOURS) / s.liquid.speed};
    rec.dispatch("draw_liquid", f.liquid->particles(),
                 {{"view", view},
                  {"velocity", f.flow.divergenceFree()},
                  {"splats", splats},
                  {"cellFirst", f.liquid->cellFirst[0]},
                  {"positions", f.liquid->positions[0]},
                  {"velocities", f.liquid->velocities[0]}},
                 push);
}

}  // namespace wisp
