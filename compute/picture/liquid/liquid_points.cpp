// SPDX-License-Identifier: MIT
#include "compute/picture/marks.h"
#include "shaders/shared/liquid/liquid_marks.h"

namespace wisp {

void recordParticleMarks(engine::Recorder& rec, const Fields& f, const Settings& s, const engine::Buffer& view,
                         const engine::Buffer& marks) {
    if (!f.liquid || s.liquid.look != LiquidLook::Points) return;
    const gpu::LiquidMarks push{.radius = 0.5f * WISP_MARK_SAMPLES * s.liquid.size,
                                .perSpeed = static_cast<float>(WISP_MARK_COLOURS) / s.liquid.speed};
    rec.dispatch("draw_liquid", f.liquid->particles(),
                 {{"view", view},
                  {"velocity", f.flow.divergenceFree()},
                  {"marks", marks},
                  {"cellFirst", f.liquid->cellFirst[0]},
                  {"places", f.liquid->places[0]},
                  {"velocities", f.liquid->velocities[0]}},
                 push);
}

}  // namespace wisp
