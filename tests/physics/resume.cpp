// SPDX-License-Identifier: MIT
// A simulation that resumes from a state gives bit-identical results to the simulation that continued without interruption.
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

namespace wisp::test {
namespace {

using Bytes = std::vector<std::byte>;

/// A scene with moving obstacles of two kinds, all forces, and warm coloured smoke.
Settings busyBox() {
    Settings s = stillBox({12, 14, 10}, 0.0625f);
    s.grid.precision = Precision::Half;
    s.grid.pressureRatio = 2;
    s.grid.sides[3] = Side::Open;
    s.flow = {.buoyancy = 0.1f,
              .weight = 0.2f,
              .vorticity = 0.6f,
              .viscosity = 1e-3f,
              .densityDecay = 0.2f,
              .velocityDecay = 0.1f,
              .detailDecay = 1.0f};
    s.advection.filter = Filter::Hardware;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.timeStep = 1.0f / 60;
    EmitterSettings emitter;
    emitter.shape = {.centre = {0.38f, 0.2f, 0.3f}, .radius = 0.12f};
    emitter.density = 1.0f;
    emitter.temperature = 30.0f;
    emitter.velocity = {0.0f, 1.0f, 0.0f};
    emitter.hasVelocity = true;
    emitter.turbulence = 0.4f;
    emitter.colour = {0.9f, 0.5f, 0.2f};
    s.emitters.push_back(emitter);
    s.obstacles.push_back({.shape = {.centre = {0.3f, 0.55f, 0.3f}, .radius = 0.1f}, .velocity = {0.2f, 0.0f, 0.0f}});
    s.obstacles.push_back(
        {.shape = {.kind = ShapeKind::Box, .centre = {0.5f, 0.6f, 0.4f}, .half = {0.05f, 0.1f, 0.05f}}, .angularVelocity = {0, 2, 1}});
    return s;
}

class Resume : public PhysicsTest {
protected:
    template <class Resource>
    Bytes bytesOf(Simulation& s, const Resource& resource) {
        Bytes bytes;
        engine::Recorder rec(device(), s.shaders, {.timing = engine::Timing::Off, .readbackBytes = resource.bytes()});
        rec.begin();
        rec.read(resource, [&](std::span<const std::byte> read) { bytes.assign(read.begin(), read.end()); });
        rec.submit();
        rec.finish();
        return bytes;
    }
    std::map<std::string, Bytes> stateOf(Simulation& s) {
        std::map<std::string, Bytes> state;
        for (const StateField& f : s.simulator.fields().state()) state[f.name] = f.image ? bytesOf(s, *f.image) : bytesOf(s, *f.buffer);
        return state;
    }
    /// Fields that are not part of the state, but computed again.
    std::map<std::string, Bytes> solidsOf(Simulation& s) {
        const Fields& f = s.simulator.fields();
        std::map<std::string, Bytes> solids{{"aperture", bytesOf(s, f.domain.aperture)},
                                            {"solid distance", bytesOf(s, f.domain.solidDistance)},
                                            {"solid velocity", bytesOf(s, f.domain.solidVelocity)}};
        if (!f.liquid) solids["weights"] = bytesOf(s, f.pressure.weights);  // with a liquid, each step computes the weights
        return solids;
    }
    Bytes tracersOf(Simulation& s) {
        const engine::Buffer& tracers = s.simulator.fields().smoke.tracers;
        return tracers.bytes() > 0 ? bytesOf(s, tracers) : Bytes{};
    }
    /// A new simulation that resumes from the state of `s`.
    std::unique_ptr<Simulation> resumed(Simulation& s, const Settings& settings) {
        auto other = std::make_unique<Simulation>(device(), settings);
        other->recorder.begin();
        other->simulator.resume(other->recorder, s.simulator.state());
        other->recorder.submit();
        const auto state = stateOf(s);
        other->recorder.begin();
        for (const StateField& f : other->simulator.fields().state()) {
            if (f.image) other->recorder.upload(*f.image, state.at(f.name));
            else other->recorder.upload(*f.buffer, state.at(f.name));
        }
        other->simulator.catchUp(other->recorder);  // the apertures of a sparse simulation
        other->recorder.submit();
        other->recorder.finish();
        return other;
    }
    void expectSame(Simulation& a, Simulation& b, const std::string& what) {
        EXPECT_EQ(stateOf(a), stateOf(b)) << what;
        EXPECT_EQ(solidsOf(a), solidsOf(b)) << what;
        EXPECT_EQ(tracersOf(a), tracersOf(b)) << what;  // also if they are not part of the state
        EXPECT_EQ(a.simulator.time(), b.simulator.time()) << what;
        EXPECT_EQ(a.simulator.stepCount(), b.simulator.stepCount()) << what;
    }
    /// Resumes at each of the steps `at`. All resources of the new simulation start as NaN, so missing state is detected.
    void expectResumes(
        const Settings& settings, const std::vector<int>& at,
        const std::function<void(Simulation&, int)>& before = [](Simulation&, int) {}) {
        for (const int steps : at) {
            Simulation whole(device(), settings);
            for (int n = 0; n < steps; ++n) {
                before(whole, n);
                whole.step();
            }
            const auto other = resumed(whole, settings);
            expectSame(whole, *other, "right after resuming, at step " + std::to_string(steps));
            for (int n = steps; n < steps + 3; ++n) {
                for (Simulation* s : {&whole, other.get()}) {
                    before(*s, n);
                    s->step();
                }
            }
            expectSame(whole, *other, "three steps after resuming at step " + std::to_string(steps));
        }
    }
};

TEST_F(Resume, IsExactForEveryRatio) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = busyBox();
        s.grid.pressureRatio = ratio;
        expectResumes(s, {1, 7});
    }
}

TEST_F(Resume, IsExactForEverySolver) {
    for (const PressureSolver solver : {PressureSolver::Jacobi, PressureSolver::RedBlackSor, PressureSolver::Mgpcg}) {
        SCOPED_TRACE(testing::Message() << "solver " << static_cast<int>(solver));
        Settings s = busyBox();
        s.grid.sides[3] = Side::Wall;  // a singular system, so mean values are removed
        s.pressure = {.solver = solver, .iterations = 12, .tolerance = 1e-3f};
        expectResumes(s, {5});
    }
}

TEST_F(Resume, IsExactWhereSmokeFadesBeforeASide) {
    Settings s = busyBox();
    s.flow.sideFade = 0.4f;
    expectResumes(s, {5});
}

TEST_F(Resume, IsExactInFloatStorageWithPeriodicSides) {
    Settings s = busyBox();
    s.grid.precision = Precision::Float;
    s.grid.scalarRatio = 2;
    for (const std::size_t side : {0u, 1u, 4u, 5u}) s.grid.sides[side] = Side::Periodic;
    expectResumes(s, {5});
}

TEST_F(Resume, IsExactWithoutObstaclesAndColours) {
    Settings s = busyBox();
    s.obstacles.clear();
    s.emitters[0].colour = glm::vec3(1.0f);
    expectResumes(s, {3, 5});  // steps in which decay of velocity and density is postponed
}

// With gusts and tracers, in a box that follows the obstacle: before its first move, in the step of a move, and later.
TEST_F(Resume, IsExactWhereTheBoxFollows) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        Settings s = busyBox();
        s.grid.precision = precision;
        s.grid.sides = {};
        s.flow.inflow = {0.5f, 0.0f, 0.1f};
        s.flow.gust = 0.4f;
        s.flow.gustScale = 0.2f;
        s.tracers = {.count = 300, .lifetime = 0.2f};
        s.follow.keys = {{0.0f, {0.38f, 0.44f, 0.31f}}, {0.1f, {0.9f, 0.44f, 0.31f}}, {0.3f, {1.5f, 0.9f, 0.31f}}};
        expectResumes(s, {3, 6});
    }
}

TEST_F(Resume, IsExactInASparseSimulation) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        Settings s = busyBox();
        s.grid.cells = {48, 36, 20};
        s.grid.size = 0.0625f * glm::vec3(s.grid.cells);
        s.grid.sides = {};
        s.grid.pressureRatio = ratio;
        s.grid.sparse = true;
        s.flow.viscosity = 0.0f;
        expectResumes(s, ratio == 2 ? std::vector<int>{1} : std::vector<int>{0, 12});
    }
}

TEST_F(Resume, IsExactWithALiquid) {
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        Settings s = stillBox({16, 18, 14}, 1.0f / 16);
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
        s.grid.precision = Precision::Half;
        s.liquid.transfer = transfer;
        s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.2f, 0.4f, 0.4f}, .half = {0.2f, 0.4f, 0.4f}},
                             .velocity = {0.5f, 0.0f, 0.0f},
                             .liquid = true});
        s.emitters.push_back({.shape = {.centre = {0.7f, 0.9f, 0.4f}, .radius = 0.12f},
                              .velocity = {-1.0f, 0.0f, 0.0f},
                              .hasVelocity = true,
                              .liquid = true});
        s.obstacles.push_back({.shape = {.centre = {0.6f, 0.3f, 0.4f}, .radius = 0.15f}, .velocity = {-0.3f, 0.0f, 0.0f}});
        s.grid.sides[0] = Side::Open;  // some particles leave
        expectResumes(s, {0, 3, 8});
    }
}

// Particles are removed and spawned while water falls into a corner. The count of spawned particles is part of the state.
TEST_F(Resume, IsExactWithReseededLiquid) {
    Settings s = stillBox({12, 12, 12}, 1.0f / 12);
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.flow.gravity = {3.0f, 9.81f, 0.0f};
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.5f, 0.25f, 0.5f}, .half = {0.5f, 0.25f, 0.5f}}, .liquid = true});
    Simulation simulation(device(), s);
    int steps = 0;
    const auto anyRespawned = [&] {
        return std::bit_cast<std::uint32_t>(download(simulation.simulator.fields().liquid->respawned[0]).at(0)) > 0;
    };
    for (; steps < 200 && !anyRespawned(); steps += 10) simulation.step(10);
    EXPECT_TRUE(anyRespawned()) << "reseeding must have spawned particles";
    expectResumes(s, {steps});
}

TEST_F(Resume, IsExactWithAMesh) {
    Settings s = busyBox();
    s.meshes.push_back(shared(icosphere(2, 0.5f)));
    s.obstacles[1] = {.shape = {.kind = ShapeKind::Mesh, .centre = {0.5f, 0.6f, 0.4f}, .scale = 0.25f}, .angularVelocity = {0, 2, 1}};
    expectResumes(s, {4});
}

TEST_F(Resume, IsExactWithAMeshThatDeforms) {
    Settings s = busyBox();
    // The grid of the mesh has room for its poses until 0.05 s, and then grows.
    const auto place = [](dvec3 p, double t) { return dvec3(p.x * (1.0 + 4.0 * t), p.y + 0.5 * t, p.z * (1.0 - 2.0 * t)); };
    s.meshes.push_back(shared(deforming(icosphere(2, 0.5f), place, 0.05)));
    s.obstacles[1] = {.shape = {.kind = ShapeKind::Mesh, .centre = {0.5f, 0.6f, 0.4f}, .scale = 0.25f}, .angularVelocity = {0, 2, 1}};
    s.emitters[0].shape = {.kind = ShapeKind::Mesh, .centre = s.emitters[0].shape.centre, .scale = 0.2f};
    s.emitters[0].inheritVelocity = 1.0f;
    expectResumes(s, {1, 4});
}

// Before, when and after an obstacle with keys stops. One step after the stop nothing moves, but shaders still read its former position.
TEST_F(Resume, IsExactWhereAnObstacleStops) {
    Settings s = busyBox();
    s.obstacles.resize(1);
    s.obstacles[0].velocity = glm::vec3(0.0f);
    s.obstacles[0].keys = {{0.0f, {0.2f, 0.5f, 0.3f}}, {4.0f / 60, {0.55f, 0.5f, 0.3f}}};  // more than one cell per step
    expectResumes(s, {3, 4, 5, 6});
}

TEST_F(Resume, IsExactWithAutomaticCycles) {
    Settings s = busyBox();
    s.pressure = {};
    for (const int at : {7, 9, 23, 30}) {
        Simulation whole(device(), s);
        whole.step(at);
        const auto other = resumed(whole, s);
        for (Simulation* simulation : {&whole, other.get()}) simulation->step(20);
        expectSame(whole, *other, "twenty steps after step " + std::to_string(at));
        EXPECT_EQ(whole.simulator.state().cycles.cycles(), other->simulator.state().cycles.cycles());
    }
}

TEST_F(Resume, IsExactForDraggedObstacles) {
    Settings s = busyBox();
    s.byHand = true;
    expectResumes(s, {1, 4}, [](Simulation& simulation, int step) {
        const float x = 0.3f + 0.02f * static_cast<float>(step);
        simulation.simulator.overrideMotion(0, {{x, 0.5f, 0.3f}, {x + 0.02f, 0.5f, 0.3f}});
    });
}

// With 16-bit storage, slow decay is postponed over several steps. A new time step changes the meaning of a step number.
TEST_F(Resume, IsExactAfterAChangeOfTheTimeStep) {
    Settings s = busyBox();
    s.byHand = true;
    Settings quick = s;
    quick.timeStep = 1.0f / 200;
    Simulation whole(device(), s);
    whole.step(3);
    whole.simulator.change(quick);
    whole.step(2);
    const auto other = resumed(whole, quick);
    for (Simulation* simulation : {&whole, other.get()}) simulation->step(3);
    expectSame(whole, *other, "after three steps");
}

TEST_F(Resume, UnchangedSettingsHaveNoEffect) {
    const Settings s = busyBox();
    Simulation a(device(), s), b(device(), s);
    for (int n = 0; n < 7; ++n) {
        a.step();
        b.step();
        b.simulator.change(s);
    }
    expectSame(a, b, "after seven steps");
}

// Probes and forces on bodies add this share of the pressure. A checkpoint does not have it, and a new buffer is full of NaN.
TEST_F(Resume, HasNoFineShareOfThePressureBeforeAStep) {
    Simulation whole(device(), busyBox());
    whole.step(2);
    const auto potential = [&](Simulation& s) { return bytesOf(s, s.simulator.fields().pressure.potential); };
    const auto isZero = [](const Bytes& bytes) { return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; }); };
    EXPECT_FALSE(isZero(potential(whole)));
    EXPECT_TRUE(isZero(potential(*resumed(whole, busyBox()))));
}

TEST_F(Resume, RefusesAMissingDraggedObstacle) {
    Settings s = busyBox();
    s.byHand = true;
    Simulation simulation(device(), s);
    RunState state;
    state.overrides[2] = {};
    simulation.recorder.begin();
    EXPECT_THROW(simulation.simulator.resume(simulation.recorder, state), std::invalid_argument);
    simulation.recorder.submit();
    simulation.recorder.finish();
}

}  // namespace
}  // namespace wisp::test
