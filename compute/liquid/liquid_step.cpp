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
    rec.dispatch(l.inEights ? "liquid_to_grid_eights" : "liquid_to_grid", l.inEights ? 2u * d.faceTexels() : d.faceTexels(),
                 {{"places", l.places[0]},
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
    rec.dispatch("liquid_density", d.cells(), {{"openness", d.openness}, {"density", l.density}},
                 1.0f / static_cast<float>(s.liquid.particlesPerCell));
    rec.clear(l.air, 0);
    rec.dispatch("liquid_cells", d.cells(),
                 {{"velocity", velocity},
                  {"density", l.density},
                  {"cellFirst", l.cellFirst[0]},
                  {"openness", d.openness},
                  {"pressure", p.pressure[0]},
                  {"surfaceOut", l.surface},
                  {"air", l.air}},
                 d.pressureLevel());
}

void recordLiquidPressure(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Liquid& l, const Settings& s,
                          const std::shared_ptr<std::vector<double>>& trace) {
    const LiquidWeightsPush weights{d.pressureLevel(), s.liquid.surface == LiquidSurface::GhostFluid ? 1 : 0};
    rec.dispatch("liquid_weights", d.pressureFaces(),
                 {{"openness", d.openness}, {"weightsOut", p.weights}, {"regularOut", p.regular}, {"surface", l.surface}}, weights);
    recordPyramidWeights(rec, p);
    rec.dispatch(
        "liquid_divergence", d.cells(),
        {{"velocity", flow.scratch}, {"openness", d.openness}, {"rhsOut", p.rhs}, {"surface", l.surface}, {"pressure", p.pressure[0]}},
        d.pressureLevel());
    // The surface sets the pressure. A closed box that is completely full has no surface. Then q drifts, but only its differences matter.
    recordPressure(rec, d, p, s.pressure, false, trace);
    rec.dispatch("liquid_gradient", d.faceTexels(),
                 {{"weights", p.weights},
                  {"pressureIn", p.pressure[0]},
                  {"velocityIn", flow.scratch},
                  {"velocityOut", flow.projected},
                  {"openness", d.openness},
                  {"surface", l.surface},
                  {"knownOut", l.known}});
    flow.isProjected = true;
    recordExtrapolation(rec, d, l, flow.projected, WISP_LIQUID_LAYERS);
    if (!d.hasSolids()) return;
    rec.dispatch("liquid_slip", d.solids.size + 1u,
                 {{"velocityIn", flow.projected}, {"velocityOut", flow.scratch}, {"openness", d.openness}}, d.solids.first);
    // Away from obstacles only flow.projected has the extrapolated layers, so the result is copied back to it.
    rec.dispatch("liquid_slid", d.solids.size + 1u, {{"velocityIn", flow.scratch}, {"velocityOut", flow.projected}}, d.solids.first);
}

void recordLiquidCrowding(engine::Recorder& rec, const Domain& d, PressureSystem& p, Liquid& l, const Settings& s) {
    const LiquidCrowdingPush crowding{d.pressureLevel(), (1.0f - std::exp(-s.liquid.densityRate * s.timeStep)) / s.timeStep};
    rec.dispatch("liquid_crowding", d.cells(), {{"openness", d.openness}, {"rhsOut", l.crowding}, {"surface", l.surface}, {"air", l.air}},
                 crowding);
    recordCycleFromZero(rec, d, p, l.crowding, l.widening, 0.0f);
    rec.dispatch("liquid_spread", d.faceTexels(),
                 {{"weights", p.weights}, {"pressureIn", l.widening}, {"openness", d.openness}, {"spreadOut", l.spread}});
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
                  {"places", l.places[0]},
                  {"velocities", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]},
                  {"speed", l.speed},
                  {"surface", l.surface},
                  {"openness", d.openness},
                  {"spread", l.spread},
                  {"gone", l.gone},
                  {"reborn", l.reborn[0]}},
                 move);
    recordCentreVelocity(rec, d, flow, flow.projected);  // for pictures
}

}  // namespace wisp
