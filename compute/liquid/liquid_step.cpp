// SPDX-License-Identifier: MIT
#include "compute/liquid/liquid_passes.h"
#include "compute/liquid/push.h"
#include "compute/pressure/multigrid.h"
#include "shaders/shared/liquid/liquid.h"

#include <cmath>

namespace wisp {
namespace {

// Layers of extrapolation before the projection, when particles have not moved yet. Of two opposite faces of a FLUID cell one is known,
// because particles near the centre give it half their weight. The other face is one layer away. So are the faces that a sample at a
// particle next to a wall reads outside of the particle's own kernel. The second layer is for liquid_gradient, which keeps the velocity of
// EMPTY cells at walls.
constexpr std::uint32_t kLayersBefore = 2;

void recordExtrapolation(engine::Recorder& rec, const Domain& d, Liquid& l, const engine::Image& velocity, std::uint32_t layers) {
    for (std::uint32_t layer = 1; layer <= layers; ++layer)
        rec.dispatch("liquid_extrapolate", d.faceTexels(),
                     {{"velocityIn", velocity}, {"velocityOut", velocity}, {"known", l.known}, {"speed", l.speed}}, layer);
}

}  // namespace

void recordParticlesToGrid(engine::Recorder& rec, const Domain& d, Flow& flow, Liquid& l) {
    rec.dispatch(l.in8Lanes ? "liquid_to_grid_8lane" : "liquid_to_grid", l.in8Lanes ? 2u * d.faceTexels() : d.faceTexels(),
                 {{"positions", l.positions[0]},
                  {"velocities", l.velocities[0]},
                  {"gradients", l.gradients[0]},
                  {"cellFirst", l.cellFirst[0]},
                  {"velocityOut", flow.velocity},
                  {"knownOut", l.known},
                  {"densityOut", l.density}});
    recordExtrapolation(rec, d, l, flow.velocity, kLayersBefore);
}

void recordLiquidForces(engine::Recorder& rec, const Domain& d, Flow& flow, const Settings& s) {
    rec.dispatch("liquid_forces", d.faceTexels(), {{"velocityIn", flow.velocity}, {"velocityOut", flow.scratch}}, s.flow.gravity);
}

void recordLiquidSurface(engine::Recorder& rec, const Domain& d, const engine::Image& velocity, PressureSystem& p, Liquid& l,
                         const Settings& s) {
    rec.dispatch("liquid_density", d.cells(), {{"aperture", d.aperture}, {"density", l.density}},
                 1.0f / static_cast<float>(s.liquid.particlesPerCell));
    rec.clear(l.air, 0);
    rec.dispatch("liquid_cells", d.cells(),
                 {{"velocity", velocity},
                  {"density", l.density},
                  {"cellFirst", l.cellFirst[0]},
                  {"aperture", d.aperture},
                  {"pressure", p.pressure[0]},
                  {"surfaceOut", l.surface},
                  {"air", l.air}},
                 d.pressureLevel());
}

void recordLiquidPressure(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Liquid& l, const Settings& s,
                          const PressureSettings& solve, const std::shared_ptr<std::vector<double>>& trace) {
    const LiquidWeightsPush weights{d.pressureLevel(), s.liquid.surface == LiquidSurface::GhostFluid ? 1 : 0};
    rec.dispatch("liquid_weights", d.pressureFaces(),
                 {{"aperture", d.aperture}, {"weightsOut", p.weights}, {"regularOut", p.regular}, {"surface", l.surface}}, weights);
    recordPyramidWeights(rec, p);
    rec.dispatch(
        "liquid_divergence", d.cells(),
        {{"velocity", flow.scratch}, {"aperture", d.aperture}, {"rhsOut", p.rhs}, {"surface", l.surface}, {"pressure", p.pressure[0]}},
        d.pressureLevel());
    // The surface sets the pressure. A closed box that is completely full has no surface. Then q drifts, but only its differences matter.
    recordPressure(rec, d, p, solve, false, trace);
    rec.dispatch("liquid_gradient", d.faceTexels(),
                 {{"weights", p.weights},
                  {"pressureIn", p.pressure[0]},
                  {"velocityIn", flow.scratch},
                  {"velocityOut", flow.projected},
                  {"aperture", d.aperture},
                  {"surface", l.surface},
                  {"knownOut", l.known}});
    flow.isProjected = true;
    recordExtrapolation(rec, d, l, flow.projected, WISP_LIQUID_LAYERS);
    if (!d.hasSolids()) return;
    rec.dispatch("liquid_slip", d.solids.size + 1u,
                 {{"velocityIn", flow.projected}, {"velocityOut", flow.scratch}, {"aperture", d.aperture}}, d.solids.first);
    // Away from obstacles only flow.projected has the extrapolated layers, so the result is copied back to it.
    rec.dispatch("liquid_slip_copy", d.solids.size + 1u, {{"velocityIn", flow.scratch}, {"velocityOut", flow.projected}}, d.solids.first);
}

void recordLiquidPositionCorrection(engine::Recorder& rec, const Domain& d, PressureSystem& p, Liquid& l, const Settings& s) {
    const LiquidDensityErrorPush densityError{d.pressureLevel(), (1.0f - std::exp(-s.liquid.densityRate * s.timeStep)) / s.timeStep};
    rec.dispatch("liquid_density_error", d.cells(),
                 {{"aperture", d.aperture}, {"rhsOut", l.densityError}, {"surface", l.surface}, {"air", l.air}}, densityError);
    recordCycleFromZero(rec, d, p, l.densityError, l.densityPotential, 0.0f);
    rec.dispatch(
        "liquid_position_correction", d.faceTexels(),
        {{"weights", p.weights}, {"pressureIn", l.densityPotential}, {"aperture", d.aperture}, {"correctionOut", l.positionCorrection}});
}

void recordGridToParticles(engine::Recorder& rec, const Domain& d, Flow& flow, Liquid& l, const Settings& s) {
    rec.clear(l.speed, 0);
    const std::uint32_t most = s.liquid.reseed && s.liquid.particlesPerCell > 1 ? 2 * s.liquid.particlesPerCell : ~0u;
    const gpu::LiquidMove move{
        .flip = std::exp(-s.liquid.picRate * s.timeStep), .most = most, .thirdOrder = s.liquid.motion == LiquidMotion::Rk3 ? 1 : 0};
    rec.dispatch("liquid_move", l.particles(),
                 {{"velocity", flow.projected},
                  {"velocityBefore", flow.velocity},
                  {"cellFirst", l.cellFirst[0]},
                  {"known", l.known},
                  {"positions", l.positions[0]},
                  {"velocities", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]},
                  {"speed", l.speed},
                  {"surface", l.surface},
                  {"aperture", d.aperture},
                  {"positionCorrection", l.positionCorrection},
                  {"removed", l.removed},
                  {"respawned", l.respawned[0]}},
                 move);
    recordCentreVelocity(rec, d, flow, flow.projected);  // for pictures
}

}  // namespace wisp
