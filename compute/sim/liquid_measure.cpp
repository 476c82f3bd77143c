// SPDX-License-Identifier: MIT
#include "compute/sim/liquid_measure.h"

#include "compute/pressure/pressure.h"
#include "compute/sim/reduced.h"

namespace wisp {
namespace {

struct MeasuredLiquid {
    Reduced particles{}, surface{}, residual{};
    std::array<std::uint32_t, 4> removed{};  ///< see Liquid
};

Quality evaluate(const MeasuredLiquid& m, const GridSettings& grid, std::uint32_t particlesPerCell) {
    const double h = static_cast<double>(grid.cellSize()), particleVolume = h * h * h / particlesPerCell;
    const auto particles = [&](std::size_t n) { return static_cast<double>(m.particles[n]); };
    Quality q;
    q.fineDivergenceRms = q.divergenceRms = rms(m.surface[1], m.surface[2]);
    q.divergenceMax = static_cast<double>(m.surface[6]);
    q.residual = rms(m.residual[0], m.residual[1]);
    q.kineticEnergy = particles(1) * particleVolume;
    q.maxSpeed = particles(7);
    q.mass = particles(0) * particleVolume;
    q.leakedMass = particles(3) * particleVolume;
    q.liquid = LiquidQuality{.particles = particles(0),
                             .volume = static_cast<double>(m.surface[0]) * h * h * h,
                             .energy = q.kineticEnergy + particles(2) * particleVolume,
                             .inSolids = particles(3),
                             .left = static_cast<double>(m.removed[0]),
                             .lost = static_cast<double>(m.removed[1]),
                             .surplus = static_cast<double>(m.removed[2]),
                             .notSpawned = static_cast<double>(m.removed[3])};
    if (m.removed[1] > 0 || particles(4) > 0.0 || !std::isfinite(q.kineticEnergy)) q.notFinite = "particles";
    return q;
}

}  // namespace

void recordLiquidMeasure(engine::Recorder& rec, const Domain& d, const Flow& flow, PressureSystem& p, const Liquid& l, const Measures& m,
                         const Settings& s, bool knowsResidual, const DeliverQuality& deliver) {
    if (!knowsResidual) recordResidual(rec, d, p);
    const glm::uvec3 threads = d.stridedThreads(l.particles());
    rec.dispatch(
        "measure_liquid", threads,
        {{"positions", l.positions[0]}, {"velocities", l.velocities[0]}, {"cellFirst", l.cellFirst[0]}, {"partialsOut", d.partials}},
        s.flow.gravity);
    recordReduceFinal(rec, d, threads, l.particleRecord);
    rec.dispatch("measure_surface", reductionThreads(d.cells()),
                 {{"velocity", flow.divergenceFree()}, {"aperture", d.aperture}, {"surface", l.surface}, {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, reductionThreads(d.cells()), l.surfaceRecord);
    const auto bodies = recordBodyForces(rec, d, flow, p, m, s);
    const auto measured = std::make_shared<MeasuredLiquid>();
    readInto(rec, l.particleRecord, measured, measured->particles);
    readInto(rec, l.surfaceRecord, measured, measured->surface);
    readInto(rec, l.removed, measured, measured->removed);
    // Buffers are read in order, so all other numbers are known when the residual arrives.
    rec.read(p.residual, [measured, bodies, grid = d.grid, count = s.liquid.particlesPerCell, deliver](std::span<const std::byte> bytes) {
        std::memcpy(&measured->residual, bytes.data(), sizeof measured->residual);
        Quality quality = evaluate(*measured, grid, count);
        quality.bodies = *bodies;
        deliver(quality);
    });
}

}  // namespace wisp
