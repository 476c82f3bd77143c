// SPDX-License-Identifier: MIT
// Shaders with work counters give the same simulation and the same image as shaders without.
#include "compute/sim/shaders.h"
#include "engine/work_counter.h"
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>

namespace wisp::test {
namespace {

class CountedShaders : public PhysicsTest {
protected:
    /// The largest difference of two fields, relative to the largest value.
    static double difference(const Field& a, const Field& b) {
        double most = 0.0, largest = 0.0;
        forEach(a.size(), [&](ivec3 c) {
            for (int n = 0; n < 3; ++n) {
                most = std::max(most, std::abs(a(c)[n] - b(c)[n]));
                largest = std::max(largest, std::abs(a(c)[n]));
            }
        });
        EXPECT_GT(largest, 0.0);
        return most / largest;
    }
};

TEST_F(CountedShaders, SimulateAndDrawTheSame) {
    Settings s = stillBox({24, 32, 24}, 1.0f / 24);
    s.advection.scheme = AdvectionScheme::MacCormack;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.advection.filter = Filter::Hardware;
    s.grid.pressureRatio = 2;
    s.flow.vorticity = 0.3f;
    s.emitters.push_back({.shape = {.centre = {0.5f, 0.2f, 0.5f}, .radius = 0.15f},
                          .velocity = {0.0f, 1.0f, 0.0f},
                          .hasVelocity = true,
                          .density = 1.0f,
                          .temperature = 30.0f});
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.6f, 0.5f}, .radius = 0.15f}, .velocity = {0.5f, 0.0f, 0.0f}});
    s.lights.push_back({});
    s.render.size = {32, 24};
    Simulation plain(device(), s), counted(device(), s);
    for (Simulation* simulation : {&plain, &counted}) simulation->step(5);

    std::vector<std::string> passes;
    {
        engine::Recorder rec(device(), plain.shaders);
        rec.begin();
        plain.simulator.step(rec);
        plain.renderer.draw(rec, plain.simulator.fields());
        rec.submit();
        rec.finish();
        for (const engine::PassTime& pass : rec.times())
            if (pass.work.threads > 0 && !pass.scope) passes.push_back(pass.name);
    }
    engine::WorkCounter counter(device(), embeddedShaders(), counted.shaders.options(), passes);
    engine::Recorder rec(device(), counter.shaders(), {.readbackBytes = counter.buffer().bytes(), .workCounters = &counter.buffer()});
    counter.reset(rec);
    rec.begin();
    counted.simulator.step(rec);
    counted.renderer.draw(rec, counted.simulator.fields());
    rec.submit();
    auto work = counter.read(rec);

    // Sums are added in another order: about ten roundings of 6e-8 per pass, in thirty passes.
    constexpr double kTolerance = 30 * 10 * 6e-8;
    EXPECT_LE(difference(velocityOf(plain), velocityOf(counted)), kTolerance);
    EXPECT_LE(difference(densityOf(plain), densityOf(counted)), kTolerance);
    EXPECT_LE(difference(fieldOf(plain.renderer.radiance()), fieldOf(counted.renderer.radiance())), 1.0 / 1024 + kTolerance)
        << "of 16-bit floats";
    const std::uint64_t cells = 24 * 32 * 24;
    EXPECT_GE(work["backtrace"].samples, 2 * cells);
    EXPECT_GE(work["backtrace"].fetches, cells);
    EXPECT_EQ(work["vorticity_curl"].words, 6 * 4 * cells) << "four floats per neighbour";
    EXPECT_GT(work["raymarch"].samples, 0u);
    EXPECT_GT(work["mg_bottom"].operations, 0u);
}

// A ray to the sun that misses the box meets no smoke. The ground there is fully lit, and the ray takes no steps.
TEST_F(CountedShaders, RaysBesideTheBoxTakeNoSteps) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16);
    s.environment = {.colour = glm::vec3(0.0f), .ground = true};
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(4.0f)}, .density = 1.0f});
    s.lights.push_back({.direction = {0.3f, -0.8f, 0.1f}, .intensity = 3.0f});
    s.camera = {.eye = {30.0f, 4.0f, 30.0f}, .target = {36.0f, 0.0f, 36.0f}, .fov = 0.5f};  // looks away from the box
    s.render.size = {16, 8};
    Simulation simulation(device(), s);
    simulation.draw();
    const Field seen = fieldOf(simulation.renderer.radiance());
    const dvec3 down = glm::normalize(dvec3(0.3, -0.8, 0.1));
    const double expected = double(s.render.groundColour.x) / glm::pi<double>() * 3.0 * -down.y;
    for (const dvec4& v : seen.values()) EXPECT_NEAR(v.x, expected, expected * (1.0 / 1024 + 1e-5));  // rounding to a 16-bit float

    engine::WorkCounter counter(device(), embeddedShaders(), simulation.shaders.options(), {"raymarch"});
    engine::Recorder rec(device(), counter.shaders(), {.readbackBytes = counter.buffer().bytes(), .workCounters = &counter.buffer()});
    counter.reset(rec);
    rec.begin();
    simulation.renderer.draw(rec, simulation.simulator.fields());
    rec.submit();
    const auto work = counter.read(rec);
    // Each pixel reads the light once at its ground point and the sky once. It reads nothing along its ray or towards the sun.
    EXPECT_LE(work.at("raymarch").samples + work.at("raymarch").fetches, 4u * 16 * 8);
}

}  // namespace
}  // namespace wisp::test
