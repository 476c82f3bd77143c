// SPDX-License-Identifier: MIT
// Probe values in flows with a known solution.
#include "compute/sim/probes.h"

#include "tests/physics/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wisp::test {
namespace {

class Probes : public PhysicsTest {
protected:
    static std::vector<gpu::ProbeValue> sample(Simulation& s, const ProbeSettings& probe) {
        Settings settings = s.simulator.settings();
        settings.probes = {probe};
        ProbeSampler sampler(s.recorder.device(), settings);
        std::vector<gpu::ProbeValue> result;
        engine::Recorder rec(s.recorder.device(), s.shaders, {.timing = engine::Timing::Off, .readbackBytes = probeReadback(settings)});
        rec.begin();
        sampler.sample(rec, s.simulator, probe,
                       [&](std::span<const gpu::ProbeValue> values) { result.assign(values.begin(), values.end()); });
        rec.submit();
        rec.finish();
        return result;
    }
    static ProbeSettings line(glm::vec3 from, glm::vec3 to, std::uint32_t points) {
        return {.file = "x.csv", .from = from, .to = to, .points = points};
    }
};

// Column of uniform smoke with a weight of 2 m/s^2 that cannot fall: dp/dy = -2 rho, with any ratio.
TEST_F(Probes, PressureOfAColumn) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        Settings s = stillBox({8, 16, 8}, 1.0f / 16);
        s.grid.pressureRatio = ratio;
        s.flow.weight = 2.0f;
        s.timeStep = 1.0f / 50;
        s.initial.push_back({.shape = {ShapeKind::Box, {0.25f, 0.5f, 0.25f}, 0.0f, glm::vec3(2.0f)}, .density = 1.0f});
        Simulation simulation(device(), s);
        simulation.step(2);
        // Between the centres of the first and the last pressure cell. Outside, the pressure is constant.
        const float end = 0.5f * static_cast<float>(ratio) / 16;
        const auto values = sample(simulation, line({0.2f, end, 0.3f}, {0.2f, 1.0f - end, 0.3f}, 9));
        ASSERT_EQ(values.size(), 9u);
        for (std::size_t i = 0; i < 9; ++i) {
            const double y = double(end) + double(i) / 8 * (1.0 - 2.0 * double(end));
            EXPECT_NEAR(double(values[i].pressure - values[0].pressure), -2.0 * (y - double(end)), 2e-3)
                << ratio << " " << i;  // remainder of the solve
            EXPECT_NEAR(double(values[i].velocity.y), 0.0, 1e-4);
            EXPECT_NEAR(double(values[i].density), 1.0, 1e-6);
        }
    }
}

// Rigid rotation: velocity and vorticity are exact up to rounding, also in flat grids.
TEST_F(Probes, RigidRotation) {
    for (const std::uint32_t depth : {1u, 4u}) {
        Settings s = stillBox({16, 16, depth}, 1.0f / 16);
        s.grid.size.z = static_cast<float>(depth) / 16;
        s.prescribed = {.field = PrescribedField::Rotation, .speed = 0.5f};
        Simulation simulation(device(), s);
        simulation.step();
        const auto values = sample(simulation, line({0.15f, 0.2f, 0.03f}, {0.85f, 0.7f, 0.03f}, 15));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = 0.15 + 0.7 * double(i) / 14 - 0.5, y = 0.2 + 0.5 * double(i) / 14 - 0.5;  // 0.5 m/s at 0.5 m: 1/s
            EXPECT_NEAR(double(values[i].velocity.x), -y, 1e-5);
            EXPECT_NEAR(double(values[i].velocity.y), x, 1e-5);
            EXPECT_NEAR(double(values[i].vorticity.z), 2.0, 1e-4);
            EXPECT_NEAR(double(values[i].vorticity.x), 0.0, 1e-4);
        }
    }
}

// Probes give NaN inside a body, and outside the box.
TEST_F(Probes, NanInsideBodiesAndOutsideTheBox) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16);
    s.grid.sides = {};
    s.flow.inflow = {0.5f, 0.0f, 0.0f};
    s.timeStep = 1.0f / 16;
    s.obstacles.push_back({.shape = {.centre = glm::vec3(0.5f), .radius = 0.2f}});
    s.follow.keys = {{.t = 0.0f, .centre = glm::vec3(0.5f)}, {.t = 0.5f, .centre = {1.5f, 0.5f, 0.5f}}};
    Simulation simulation(device(), s);
    const ProbeSettings probe = line({0.1f, 0.5f, 0.5f}, {1.3f, 0.5f, 0.5f}, 13);  // one point every 0.1 m
    const auto nothing = [&](std::size_t from, std::size_t to) {
        const auto values = sample(simulation, probe);
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(std::isnan(values[i].velocity.x), i >= from && i <= to) << i << " of " << from;
    };
    const auto first = sample(simulation, probe);
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool solid = i >= 3 && i <= 5, beyond = i > 9;  // 0.4, 0.5, 0.6 m; from 1.1 m on
        if (i == 2 || i == 6 || i == 9) continue;             // on the surface of the body, or on the side of the box
        EXPECT_EQ(std::isnan(first[i].velocity.x), solid || beyond) << i;
        EXPECT_EQ(std::isnan(first[i].density), solid || beyond) << i;
    }
    simulation.step(9);  // now the box reaches from 1 m to 2 m
    nothing(0, 8);
}

}  // namespace
}  // namespace wisp::test
