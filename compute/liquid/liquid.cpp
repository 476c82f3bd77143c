// SPDX-License-Identifier: MIT
#include "compute/liquid/liquid.h"

#include "compute/pressure/push.h"
#include "compute/scene/shape_data.h"
#include "compute/smoke/passes.h"
#include "shaders/shared/liquid/liquid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp {

namespace {

// Those that a step begins with are fields of a checkpoint.
std::uint32_t elementsInRows(std::uint64_t elements) { return rowsOf(elements).x * rowsOf(elements).y; }

}  // namespace

LiquidFields::LiquidFields(engine::Device& device, const Settings& s)
    : capacity(elementsInRows(s.liquidCapacity())),
      most(static_cast<std::uint32_t>(s.liquidCapacity())),
      inEights(!device.isCpu()),
      affine(s.liquid.transfer == LiquidTransfer::Apic) {
    const std::uint64_t cells = std::uint64_t{s.grid.cells.x} * s.grid.cells.y * s.grid.cells.z;
    const std::uint64_t faces = std::uint64_t{s.grid.cells.x + 1} * (s.grid.cells.y + 1) * (s.grid.cells.z + 1);
    constexpr std::uint64_t kWord = sizeof(std::uint32_t), kVector = 4 * sizeof(float), kScanned = WISP_SCAN_THREADS * WISP_SCAN_CELLS;
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    places = {buffer("liquid places", capacity * kVector), buffer("liquid places, other", capacity * kVector)};
    velocities = {buffer("liquid velocities", capacity * kVector), buffer("liquid velocities, other", capacity * kVector)};
    const std::uint64_t affineBytes = (affine ? 3ull * capacity : 4ull) * kVector;
    gradients = {buffer("liquid gradients", affineBytes), buffer("liquid gradients, other", affineBytes)};
    const std::uint64_t firsts = elementsInRows(cells + 1) * kWord;
    cellFirst = {buffer("liquid in cells", firsts), buffer("liquid in cells, other", firsts)};
    counts = buffer("liquid counts", cells * kWord);
    taken = buffer("liquid parts", cells * kWord);
    births = buffer("liquid births", cells * kWord);
    birthFirst = buffer("liquid births in cells", cells * kWord);
    blocks = buffer("liquid sums", ((cells + kScanned - 1) / kScanned + 1) * 2 * kWord);
    ranks = buffer("liquid ranks", capacity * kWord);
    order = buffer("liquid order", capacity * kWord);
    known = buffer("liquid known faces", faces * kWord);
    density = buffer("liquid density", cells * kWord);
    surface = buffer("liquid surface", cells * 2 * kWord);
    crowding = buffer("liquid crowding", cells * kWord);
    widening = buffer("liquid widening", cells * kWord);
    spread = engine::Image(device, {.name = "liquid spread", .size = s.grid.cells + 1u, .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    air = buffer("liquid air", kWord);
    speed = buffer("liquid speed", kWord);
    reborn = {buffer("liquid reborn", 2 * kWord), buffer("liquid reborn, other", 2 * kWord)};
    gone = buffer("liquid gone", 4 * kWord);
}

namespace {

glm::uvec3 faceTexels(const Fields& f) { return f.cells() + 1u; }

// Before the projection nothing has moved yet. Of each two opposite faces of a FLUID cell one is known, that with half the weight of what
// is near its centre; the other one is beside it, and so is what a sample at a particle may reach past its own kernel, at a wall: one
// layer. A second for what liquid_gradient takes over at walls, in EMPTY cells next to those.
constexpr std::uint32_t kLayersBefore = 2;

void recordExtrapolation(engine::Recorder& rec, Fields& f, std::uint32_t layers) {
    for (std::uint32_t layer = 1; layer <= layers; ++layer)
        rec.dispatch("liquid_extrapolate", faceTexels(f),
                     {{"velocityIn", f.velocity}, {"velocityOut", f.velocity}, {"known", f.liquid->known}, {"speed", f.liquid->speed}},
                     layer);
}

}  // namespace

void recordParticlesToGrid(engine::Recorder& rec, Fields& f) {
    const LiquidFields& l = *f.liquid;
    rec.dispatch(l.inEights ? "liquid_to_grid_eights" : "liquid_to_grid", l.inEights ? 2u * faceTexels(f) : faceTexels(f),
                 {{"places", l.places[0]},
                  {"velocities", l.velocities[0]},
                  {"gradients", l.gradients[0]},
                  {"cellFirst", l.cellFirst[0]},
                  {"velocityOut", f.velocity},
                  {"knownOut", l.known},
                  {"densityOut", l.density}});
    recordExtrapolation(rec, f, kLayersBefore);
}

void recordLiquidForces(engine::Recorder& rec, Fields& f, const Settings& s) {
    std::swap(f.velocity, f.scratch[1]);  // what came from the particles is kept, for what changes it
    rec.dispatch("liquid_forces", faceTexels(f), {{"velocityIn", f.scratch[1]}, {"velocityOut", f.velocity}}, s.flow.gravity);
}

void recordLiquidSurface(engine::Recorder& rec, Fields& f, const Settings& s) {
    const LiquidFields& l = *f.liquid;
    rec.dispatch("liquid_density", f.cells(), {{"openness", f.openness}, {"density", l.density}},
                 1.0f / static_cast<float>(s.liquid.particlesPerCell));
    rec.clear(l.air, 0);
    rec.dispatch("liquid_cells", f.cells(),
                 {{"velocity", f.velocity},
                  {"density", l.density},
                  {"cellFirst", l.cellFirst[0]},
                  {"openness", f.openness},
                  {"pressure", f.pressure[0]},
                  {"surfaceOut", l.surface},
                  {"air", l.air}},
                 f.pressureLevel());
}

void recordLiquidPressure(engine::Recorder& rec, Fields& f, const Settings& s, const std::shared_ptr<std::vector<double>>& trace) {
    const LiquidFields& l = *f.liquid;
    const LiquidWeightsPush weights{f.pressureLevel(), s.liquid.surface == LiquidSurface::GhostFluid ? 1 : 0};
    rec.dispatch("liquid_weights", f.pressureFaces(),
                 {{"openness", f.openness}, {"weightsOut", f.weights}, {"regularOut", f.regular}, {"surface", l.surface}}, weights);
    recordPyramidWeights(rec, f);
    rec.dispatch(
        "liquid_divergence", f.cells(),
        {{"velocity", f.velocity}, {"openness", f.openness}, {"rhsOut", f.rhs}, {"surface", l.surface}, {"pressure", f.pressure[0]}},
        f.pressureLevel());
    recordPressure(rec, f, s, trace);
    rec.dispatch("liquid_gradient", faceTexels(f),
                 {{"weights", f.weights},
                  {"pressureIn", f.pressure[0]},
                  {"velocityIn", f.velocity},
                  {"velocityOut", f.scratch[0]},
                  {"openness", f.openness},
                  {"surface", l.surface},
                  {"knownOut", l.known}});
    std::swap(f.velocity, f.scratch[0]);
    recordExtrapolation(rec, f, WISP_LIQUID_LAYERS);
    if (f.solids.size == glm::uvec3(0)) return;
    rec.dispatch("liquid_slip", f.solids.size + 1u, {{"velocityIn", f.velocity}, {"velocityOut", f.scratch[0]}, {"openness", f.openness}},
                 f.solids.first);
    // Where no obstacle is near, the other image has the same velocity but for extrapolated layers: back to the first one.
    rec.dispatch("liquid_slid", f.solids.size + 1u, {{"velocityIn", f.scratch[0]}, {"velocityOut", f.velocity}}, f.solids.first);
}

void recordLiquidCrowding(engine::Recorder& rec, Fields& f, const Settings& s) {
    const LiquidFields& l = *f.liquid;
    const LiquidCrowdingPush crowding{f.pressureLevel(), (1.0f - std::exp(-s.liquid.densityRate * s.timeStep)) / s.timeStep};
    rec.dispatch("liquid_crowding", f.cells(), {{"openness", f.openness}, {"rhsOut", l.crowding}, {"surface", l.surface}, {"air", l.air}},
                 crowding);
    recordCycleFromZero(rec, f, l.crowding, l.widening, 0.0f);
    rec.dispatch("liquid_spread", faceTexels(f),
                 {{"weights", f.weights}, {"pressureIn", l.widening}, {"openness", f.openness}, {"spreadOut", l.spread}});
}

void recordGridToParticles(engine::Recorder& rec, Fields& f, const Settings& s) {
    const LiquidFields& l = *f.liquid;
    rec.clear(l.speed, 0);
    const std::uint32_t most = s.liquid.reseed && s.liquid.particlesPerCell > 1 ? 2 * s.liquid.particlesPerCell : ~0u;
    const gpu::LiquidMove move{
        .flip = std::exp(-s.liquid.picRate * s.timeStep), .most = most, .thirdOrder = s.liquid.motion == LiquidMotion::Rk3 ? 1 : 0};
    rec.dispatch("liquid_move", l.particles(),
                 {{"velocity", f.velocity},
                  {"velocityBefore", f.scratch[1]},
                  {"cellFirst", l.cellFirst[0]},
                  {"known", l.known},
                  {"places", l.places[0]},
                  {"velocities", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]},
                  {"speed", l.speed},
                  {"surface", l.surface},
                  {"openness", f.openness},
                  {"spread", l.spread},
                  {"gone", l.gone},
                  {"reborn", l.reborn[0]}},
                 move);
    rec.dispatch("centre_velocity", f.cells(),
                 {{"velocity", f.velocity}, {"centreOut", f.centre}, {"centreVectors", f.centreVectors}});  // for who looks at it
}

}  // namespace wisp
