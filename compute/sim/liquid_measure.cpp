// SPDX-License-Identifier: MIT
#include "compute/sim/liquid_measure.h"

namespace wisp {

void recordLiquidMeasure(engine::Recorder& rec, const Domain& d, const Flow& flow, const Liquid& l, glm::vec3 gravity) {
    const glm::uvec3 threads = d.stridedThreads(l.particles());
    rec.dispatch("measure_liquid", threads,
                 {{"places", l.places[0]}, {"velocities", l.velocities[0]}, {"cellFirst", l.cellFirst[0]}, {"partialsOut", d.partials}},
                 gravity);
    recordFold(rec, d, threads, l.particleRecord);
    rec.dispatch("measure_surface", reductionThreads(d.cells()),
                 {{"velocity", flow.divergenceFree()}, {"openness", d.openness}, {"surface", l.surface}, {"partialsOut", d.partials}});
    recordFold(rec, d, reductionThreads(d.cells()), l.surfaceRecord);
}

void evaluateLiquid(Quality& q, const LiquidNumbers& m, const GridSettings& grid, std::uint32_t particlesPerCell) {
    const double h = static_cast<double>(grid.cellSize()), particleVolume = h * h * h / particlesPerCell;
    const auto particles = [&](std::size_t n) { return static_cast<double>(m.particles[n]); };
    q.fineDivergenceBefore = 0.0;  // is not measured
    q.fineDivergenceRms = q.divergenceRms = rms(m.surface[1], m.surface[2]);
    q.divergenceMax = static_cast<double>(m.surface[6]);
    q.kineticEnergy = particles(1) * particleVolume;
    q.maxSpeed = particles(7);
    q.mass = particles(0) * particleVolume;
    q.leakedMass = particles(3) * particleVolume;
    q.liquid = LiquidQuality{.particles = particles(0),
                             .volume = static_cast<double>(m.surface[0]) * h * h * h,
                             .energy = q.kineticEnergy + particles(2) * particleVolume,
                             .inSolids = particles(3),
                             .left = static_cast<double>(m.gone[0]),
                             .lost = static_cast<double>(m.gone[1]),
                             .surplus = static_cast<double>(m.gone[2]),
                             .unborn = static_cast<double>(m.gone[3])};
    q.notFinite = m.gone[1] > 0 || particles(4) > 0.0 || !std::isfinite(q.kineticEnergy) ? "particles" : "";
}

}  // namespace wisp
