// SPDX-License-Identifier: MIT
#include "compute/sim/momentum.h"

namespace wisp {

using engine::Traffic;

void recordMomentum(engine::Recorder& rec, const Domain& d, const engine::Image& velocity, const engine::Image& coarse,
                    const engine::Buffer& into) {
    const glm::uvec3 threads = d.stridedThreads(d.cells());
    rec.dispatch("measure_momentum", threads,
                 {{"velocity", velocity},
                  {"coarseVelocity", d.bricks ? Traffic::all(coarse) : Traffic::none(velocity)},
                  {"aperture", d.aperture},
                  {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, threads, into);
}

void recordForceOnFluid(engine::Recorder& rec, const Domain& d, const Flow& flow, bool accelerates, const engine::Buffer& into) {
    if (!accelerates) return rec.clear(into, 0);
    const glm::uvec3 threads = d.stridedThreads(d.cells());
    rec.dispatch("measure_acceleration", threads,
                 {{"acceleration", flow.acceleration()}, {"aperture", d.aperture}, {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, threads, into);
}

MomentumBudget momentumBudget(const MomentumRecords& m, double cellMass, double h, double dt, double keep,
                              const std::vector<BodyForce>& bodies, bool hasSides) {
    MomentumBudget b;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto momentum = [&](const Reduced& r) { return cellMass * static_cast<double>(r[axis]); };
        const double advected = momentum(m.advected) / keep, leaves = cellMass / h * dt * static_cast<double>(m.projected[3 + axis]),
                     force = dt * momentum(m.force);
        double onBodies = 0.0;
        for (const BodyForce& body : bodies) onBodies += dt * body.force[axis];
        b.sources[axis] = momentum(m.afterSources) - momentum(m.atStart);
        b.forces[axis] = force + momentum(m.advected) - advected;
        b.bodies[axis] = -onBodies;
        b.error[axis] = advected - momentum(m.projected) + leaves;
        const double rest = momentum(m.projected) - momentum(m.afterSources) - force + onBodies - leaves;
        (hasSides ? b.sides : b.error)[axis] += rest;
    }
    return b;
}

}  // namespace wisp
