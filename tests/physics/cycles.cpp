// SPDX-License-Identifier: MIT
// pressure.iterations = "auto": as many cycles as keep the residual below the tolerance.
#include "compute/sim/shaders.h"
#include "tests/physics/simulation.h"

#include <algorithm>
#include <vector>

namespace wisp::test {
namespace {

/// Warm smoke rises past a moving ball.
Settings plume() {
    Settings s = stillBox({32, 48, 32}, 1.0f / 32);
    s.grid.pressureRatio = 2;
    s.grid.precision = Precision::Half;
    s.grid.sides[3] = Side::Open;
    s.pressure = {};
    s.timeStep = 1.0f / 60;
    s.flow.buoyancy = 0.05f;
    s.flow.vorticity = 0.4f;
    EmitterSettings emitter;
    emitter.shape = {.centre = {0.5f, 0.2f, 0.5f}, .radius = 0.12f};
    emitter.velocity = {0.0f, 1.0f, 0.0f};
    emitter.hasVelocity = true;
    emitter.turbulence = 0.3f;
    emitter.density = 1.0f;
    emitter.temperature = 60.0f;
    s.emitters.push_back(emitter);
    s.obstacles.push_back({.shape = {.centre = {0.35f, 0.8f, 0.5f}, .radius = 0.15f}, .velocity = {0.2f, 0.0f, 0.0f}});
    return s;
}

class Cycles : public PhysicsTest {};

TEST_F(Cycles, AsFewAsKeepTheTolerance) {
    for (const float tolerance : {kAutoTolerance, 1e-4f}) {
        Settings s = plume();
        s.pressure.tolerance = tolerance;
        Simulation simulation(device(), s);
        simulation.step(CyclePlan::kDelay + 2 * CyclePlan::kPeriod);
        int above = 0, cycles = 0;
        constexpr int kSteps = 48;
        for (int n = 0; n < kSteps; ++n) {
            simulation.step();
            const Quality q = simulation.measure();
            above += q.residual > static_cast<double>(tolerance);
            cycles += static_cast<int>(q.cycles);
        }
        EXPECT_EQ(above, 0) << tolerance;
        if (tolerance == kAutoTolerance) EXPECT_LT(cycles, 2 * kSteps) << "one cycle is enough in many steps";
        else EXPECT_GE(cycles, 2 * kSteps) << "one cycle is never enough";
    }
}

// The GPU may be two frames behind, and a frame may have several steps. Neither may change the result.
TEST_F(Cycles, DoNotDependOnTheFramesOfARun) {
    Settings s = plume();
    s.pressure.tolerance = 5e-2f;
    Simulation single(device(), s), together(device(), s);
    constexpr std::uint64_t kSteps = 6 * CyclePlan::kPeriod;
    single.step(kSteps);
    for (std::uint64_t step = 0; step < kSteps; step += CyclePlan::kPeriod) {
        together.recorder.begin();
        for (std::uint64_t n = 0; n < CyclePlan::kPeriod; ++n) together.simulator.step(together.recorder);
        together.recorder.submit();
    }
    together.recorder.finish();
    EXPECT_EQ(together.simulator.state().cycles.cycles(), single.simulator.state().cycles.cycles());
    EXPECT_EQ(single.simulator.state().cycles.cycles(), 1u) << "else this tests nothing";
    const Field a = velocityOf(single), b = velocityOf(together);
    EXPECT_TRUE(std::ranges::equal(a.values(), b.values()));
}

}  // namespace
}  // namespace wisp::test
