// SPDX-License-Identifier: MIT
#include "compute/scene/prescribed.h"
#include "compute/smoke/smoke_passes.h"

#include <algorithm>
#include <cmath>

namespace wisp {

void recordPrescribed(engine::Recorder& rec, const Domain& d, Flow& flow, Smoke& smoke, const Settings& s) {
    gpu::PrescribedData data = prescribedData(s.prescribed);
    if (s.grid.isFlat()) data.velocity.z = 0.0f;
    rec.update(smoke.prescribed->field, std::as_bytes(std::span(&data, 1)));
    rec.dispatch("prescribe", d.faces(), {{"prescribed", smoke.prescribed->field}, {"velocityOut", flow.velocity}});
    recordWrapFaces(rec, d, flow.velocity);
    recordCentreVelocity(rec, d, flow, flow.velocity);
    flow.isProjected = false;  // flow.velocity is the velocity before and after the step
}

void recordDeparturePointsAtStart(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    rec.dispatch("departure_points", d.scalarCells(),
                 {{"departures", smoke.prescribed->departures}, {"prescribed", smoke.prescribed->field}}, gpu::DeparturePointsPush{});
}

void recordDeparturePoints(engine::Recorder& rec, const Domain& d, Smoke& smoke, const Settings& s) {
    constexpr double kPart = 0.5;  // [cells] per substep, because the velocity has kinks between arrows
    const double cells = maxCellThroughput(s) * static_cast<double>(s.timeStep) / static_cast<double>(s.grid.cellSize());
    const int parts = static_cast<int>(std::clamp(std::ceil(cells / kPart), 1.0, 4096.0));
    rec.dispatch("departure_points", d.scalarCells(),
                 {{"departures", smoke.prescribed->departures}, {"prescribed", smoke.prescribed->field}},
                 gpu::DeparturePointsPush{.dt = s.timeStep, .parts = parts});
}

}  // namespace wisp
