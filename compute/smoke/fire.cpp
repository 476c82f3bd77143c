// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke_passes.h"

#include <cmath>

namespace wisp {

gpu::FirePush firePush(const FireSettings& f, float ambient, float timeStep) {
    return {.burnt = f.burnRate * timeStep,
            .ignition = f.ignition,
            .heat = f.heat,
            .cooled = static_cast<float>(3.0 * static_cast<double>(f.cooling) * static_cast<double>(timeStep) /
                                         std::pow(static_cast<double>(f.heat), 4.0)),
            .soot = f.soot,
            .ambient = ambient,
            .expansion = f.expansion,
            .mixing = static_cast<int>(f.mixing),
            .sootColour = f.soot * glm::vec4(f.sootColour, 0.0f)};
}

void recordReact(engine::Recorder& rec, const Domain& d, const Flow& flow, Smoke& smoke, const Settings& s) {
    if (!s.usesFuel() || smoke.scalars[0].isZero()) return;
    rec.dispatch("react", d.reachableScalarCells(),
                 {{"scalarsIn", smoke.scalars[0]},
                  {"scalarsOut", smoke.scalars[0]},
                  {"aperture", engine::Traffic::none(d.aperture)},
                  {"velocity", s.usesExpansion() ? engine::Traffic::all(flow.projected) : engine::Traffic::none(flow.projected)},
                  {"back", flow.back},
                  {"coloursIn", smoke.smokeColour()},
                  {"coloursOut", smoke.smokeColour()},
                  {"reached", smoke.reached}},
                 firePush(s.fire, s.flow.ambient, s.timeStep));
}

}  // namespace wisp
