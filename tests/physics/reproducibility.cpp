// SPDX-License-Identifier: MIT
// Reproducible bits, a frame loop without allocations and waits, and a proof that each barrier is necessary.
#include "compute/picture/field_view.h"
#include "compute/sim/shaders.h"
#include "tests/physics/simulation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace wisp::test {
namespace {

// A step that runs every pass.
Settings everything(Precision precision) {
    Settings s = stillBox({12, 14, 10}, 0.0625f);
    s.grid.precision = precision;
    s.grid.pressureRatio = 2;
    s.grid.sides[3] = Side::Open;
    s.flow = {.buoyancy = 0.1f,
              .weight = 0.2f,
              .vorticity = 0.6f,
              .viscosity = 1e-3f,
              .densityDecay = 0.2f,
              .velocityDecay = 0.1f,
              .detailDecay = 1.0f};
    s.pressure.solver = PressureSolver::Jacobi;
    s.pressure.iterations = 12;
    s.pressure.tolerance = 1e-3f;
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
    s.obstacles.push_back(
        {.shape = {.centre = {0.3f, 0.55f, 0.3f}, .radius = 0.1f}, .velocity = {0.2f, 0.0f, 0.0f}, .angularVelocity = {0, 1, 0}});
    s.lights.push_back({});
    return s;
}

class RunBits : public BothPrecisions {};
INSTANTIATE_TEST_SUITE_P(Storage, RunBits, testing::Values(Precision::Float, Precision::Half), precisionName);

TEST_P(RunBits, AreTheSameTwice) {
    std::vector<std::byte> pictures[2];
    Field densities[2], velocities[2];
    for (int run = 0; run < 2; ++run) {
        Settings s = everything(GetParam());
        s.pressure.solver = PressureSolver::RedBlackSor;
        Simulation simulation(device(), s);
        simulation.step(20);
        simulation.draw();
        pictures[run] = downloadBytes(simulation.renderer.display());
        densities[run] = densityOf(simulation);
        velocities[run] = velocityOf(simulation);
    }
    EXPECT_EQ(densities[0].values(), densities[1].values());
    EXPECT_EQ(velocities[0].values(), velocities[1].values());
    EXPECT_EQ(pictures[0], pictures[1]);
    EXPECT_THAT(pictures[0], testing::Contains(testing::Ne(pictures[0][0]))) << "the image must not be empty";
}

// Every pressure ratio, because each computes the velocity at cell centres with other passes. Walls, and periodic sides with finer scalars.
std::array<Settings, 2> wallsAndPeriodic(Precision precision) {
    std::array<Settings, 2> both{everything(precision), everything(precision)};
    for (Settings& s : both) {
        s.pressure.solver = PressureSolver::RedBlackSor;
        s.view.field = ViewField::Vorticity;
        s.view.slice = SliceAxis::Z;
    }
    both[0].grid.pressureRatio = precision == Precision::Half ? 4 : 2;
    both[1].grid.pressureRatio = 1;
    both[1].grid.scalarRatio = 2;
    for (const std::size_t side : {0u, 1u, 4u, 5u}) both[1].grid.sides[side] = Side::Periodic;
    return both;
}

// Fields that are too large for a descriptor binding are accessed by buffer address. Here, small fields are, too.
TEST_P(RunBits, AreTheSameWithFieldsByAddress) {
    for (const Settings& settings : wallsAndPeriodic(GetParam())) {
        SCOPED_TRACE(testing::Message() << "ratio " << settings.grid.pressureRatio << ", periodic axes " << settings.grid.periodicAxes());
        std::vector<std::byte> fields[2][3], view[2];
        Field densities[2], velocities[2];
        for (int run = 0; run < 2; ++run) {
            engine::ShaderOptions options = shaderOptions(settings);
            if (run == 1) options.largestField = std::numeric_limits<std::uint64_t>::max();
            Simulation simulation(device(), settings, options);
            FieldView picture(device(), settings);
            simulation.step(5);
            const Fields& f = simulation.simulator.fields();
            const std::array vectors{&f.flow.centreVectors, &f.flow.back, &f.flow.ahead};
            std::ranges::transform(vectors, fields[run], [&](const engine::Buffer* field) { return downloadBytes(*field); });
            simulation.recorder.begin();
            picture.draw(simulation.recorder, f);
            simulation.recorder.submit();
            simulation.recorder.finish();
            view[run] = downloadBytes(picture.display());
            densities[run] = densityOf(simulation);
            velocities[run] = velocityOf(simulation);
        }
        for (int n = 0; n < 3; ++n) EXPECT_EQ(fields[0][n], fields[1][n]) << n;
        EXPECT_EQ(densities[0].values(), densities[1].values());
        EXPECT_EQ(velocities[0].values(), velocities[1].values());
        EXPECT_EQ(view[0], view[1]);
        EXPECT_THAT(fields[0][1], testing::Contains(testing::Ne(fields[0][1][0]))) << "the traces must not all be zero";
        EXPECT_THAT(view[0], testing::Contains(testing::Ne(view[0][0])));
    }
}

class RunLoop : public PhysicsTest {};

TEST_F(RunLoop, AllocatesNothingAndNeverWaits) {
    Simulation simulation(device(), everything(Precision::Half));
    const auto frame = [&] {
        simulation.recorder.begin();
        simulation.simulator.step(simulation.recorder);
        simulation.simulator.measure(simulation.recorder, [](const Quality&) {});
        simulation.renderer.draw(simulation.recorder, simulation.simulator.fields());
        simulation.recorder.submit();
    };
    for (int i = 0; i < 3; ++i) frame();
    const engine::Device::Counters before = device().counters;
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_EQ(device().counters.allocations, before.allocations);
    EXPECT_EQ(device().counters.pipelines, before.pipelines);
    EXPECT_EQ(device().counters.idleWaits, before.idleWaits);
    simulation.recorder.finish();
}

/// Commands that a frame records between begin and submit.
using Record = std::function<void(Simulation&, engine::Recorder&)>;

void recordStep(Simulation& s, engine::Recorder& rec) {
    s.simulator.step(rec);
    s.simulator.measure(rec, [](const Quality&) {});
    s.renderer.draw(rec, s.simulator.fields());
}

void recordPaths(Simulation& s, engine::Recorder& rec) {
    s.renderer.restart(0);
    s.renderer.draw(rec, s.simulator.fields(), 1);
    s.renderer.path()->measure(rec, [](const PathReport&) {});
}

// Records one frame without the barrier number `dropped`, or with all if it is -1. Returns the number of barriers. The simulation is new,
// so that nothing conflicts with the frame before, which lacked another barrier.
std::uint32_t recordWithout(engine::Device& device, int dropped, const Settings& settings, const Record& record) {
    device.waitIdle();  // for validation, everything before is complete
    Simulation simulation(device, settings);
    simulation.step(2);
    engine::Recorder rec(device, simulation.shaders, {.timing = engine::Timing::Off, .readbackBytes = 1u << 16, .dropBarrier = dropped});
    rec.begin();
    record(simulation, rec);
    const std::uint32_t barriers = rec.barriers();
    if (dropped < 0) EXPECT_NO_THROW(rec.submit());
    else
        EXPECT_THROW(rec.submit(), engine::Error)
            << "barrier " << dropped << " of " << barriers << " is not necessary: validation reported no hazard without it";
    rec.finish();
    device.clearValidationMessages();
    return barriers;
}

// Drops each barrier of a frame once. The last frame, with all barriers, shows that the messages came from the missing ones. The device is
// the shared one, which has the pipelines and reports each message always.
std::uint32_t dropEachBarrier(engine::Device& device, const Settings& settings, const Record& record) {
    std::uint32_t barriers = 1;
    for (std::uint32_t dropped = 0; dropped < barriers; ++dropped)
        barriers = recordWithout(device, static_cast<int>(dropped), settings, record);
    EXPECT_EQ(recordWithout(device, -1, settings, record), barriers);
    return barriers;
}

// Synchronization validation must report every dropped barrier. So each barrier is necessary, and none is hidden by another. Uses Jacobi,
// because the sweeps of red_black_sor.comp read and write one buffer in place. The layer (1.3.239) regards that as writes only and reports
// no hazard. Only RunBits tests the barriers between these sweeps.
TEST_F(RunLoop, EveryBarrierMatters) { EXPECT_GT(dropEachBarrier(device(), everything(Precision::Half), recordStep), 30u); }

// With one sample, because two samples add to one image in place, see above.
TEST_F(RunLoop, EveryBarrierOfPathTracingMatters) {
    Settings s = everything(Precision::Half);
    s.render.mode = RenderMode::Path;
    EXPECT_GT(dropEachBarrier(device(), s, recordPaths), 4u);
}

}  // namespace
}  // namespace wisp::test
