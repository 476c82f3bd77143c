// SPDX-License-Identifier: MIT
// Runs with more steps than a float can count: three days at 60 steps per second.
#include "compute/smoke/smoke_passes.h"
#include "tests/physics/simulation.h"

#include <gtest/gtest.h>

namespace wisp::test {
namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 24;

class LongRun : public PhysicsTest {};

TEST_F(LongRun, StepsAreCountedAndObstaclesKeepTurning) {
    Settings settings = stillBox({8, 8, 8}, 0.125f);
    settings.timeStep = 1.0f / 60;
    settings.obstacles.push_back(
        {.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = {0.2f, 0.3f, 0.25f}}, .angularVelocity = {0.5f, 2.0f, 1.0f}});
    Simulation s(device(), settings);
    s.recorder.begin();
    s.simulator.resume(s.recorder, {.steps = kMany - 10});
    for (const StateField& f : s.simulator.fields().state()) {
        if (f.image) s.recorder.clear(*f.image, 0.0f);
        else s.recorder.upload(*f.buffer, std::vector<std::byte>(f.buffer->bytes()));
    }
    s.recorder.submit();
    s.recorder.finish();
    Field before = fieldOf(s.simulator.fields().domain.aperture);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        s.step();
        ASSERT_EQ(s.simulator.stepCount(), kMany - 10 + n);
        ASSERT_EQ(s.simulator.time(), static_cast<double>(kMany - 10 + n) * static_cast<double>(settings.timeStep));
        const Field now = fieldOf(s.simulator.fields().domain.aperture);
        double change = 0.0;
        forEach(ivec3(8), [&](ivec3 c) { change = std::max(change, glm::length(now(c) - before(c))); });
        // The box rotates by 0.038 rad per step. A corner at 0.44 m from the centre moves by 0.13 cells. So an edge that crosses a face at
        // any angle opens or closes some hundredths of the face. Two steps in one would change twice as much.
        EXPECT_GT(change, 0.03) << "step " << n;
        before = now;
    }
    EXPECT_TRUE(s.measure().finite());
}

// Noise that moves at 1 m/s through cells of 1/64 m moves by one cell in 1/64 s. All numbers are powers of two, so the noise values have
// the same bits. Only the position within a noise cell is rounded: coordinates of up to 128, and the slope of the noise as in
// PassTurbulence.
TEST_F(LongRun, TurbulenceMovesSmoothly) {
    Settings settings = stillBox({16, 8, 8}, 1.0f / 64);
    EmitterSettings emitter;
    emitter.shape = {.kind = ShapeKind::Box, .centre = {0.125f, 0.0625f, 0.0625f}, .half = glm::vec3(1.0f)};
    emitter.velocity = {1.0f, 0.0f, 0.0f};
    emitter.hasVelocity = true;
    emitter.turbulence = 0.5f;
    emitter.turbulenceScale = 1.0f / 32;
    Simulation s(device(), settings);
    s.step();
    const auto emitted = [&](double time) {
        Fields& f = s.simulator.fields();
        s.recorder.begin();
        s.recorder.setCommon({{"stepData", f.domain.step},
                              {"brickSlots", f.domain.step},
                              {"meshDistances", f.domain.meshes.image()},
                              {"meshVelocities", f.domain.meshes.velocities()}});
        recordJets(s.recorder, f.domain, f.flow, settings, std::span(&emitter, 1), time);
        s.recorder.submit();
        s.recorder.finish();
        return fieldOf(f.flow.velocity);
    };
    for (const double start : {0.0, static_cast<double>(kMany) / 64.0, 1e9, 1e12}) {
        const Field before = emitted(start), after = emitted(start + 1.0 / 64.0);
        double change = 0.0;
        forEach(ivec3(15, 8, 8), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                if (c[axis] == 0) continue;  // a face on a wall, which does not change
                EXPECT_NEAR(after(c + ivec3(1, 0, 0))[axis], before(c)[axis], 0.5 * 9.5 * 12.0 * 128.0 * 6e-8) << "at " << start << " s";
                change = std::max(change, std::abs(after(c)[axis] - before(c)[axis]));
            }
        });
        EXPECT_GT(change, 0.1) << "at " << start << " s";
    }
}

}  // namespace
}  // namespace wisp::test
