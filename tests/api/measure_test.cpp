// SPDX-License-Identifier: MIT
// What the library tells of devices and simulations: memory, quality numbers, times, hashes, values at points.
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>

namespace wisp::test {
namespace {

using testing::HasSubstr;

TEST(ApiDevice, IsInTheListOfDevices) {
    const std::vector<DeviceInfo> list = Device::list();
    const auto own = std::ranges::find(list, device().name(), &DeviceInfo::name);
    ASSERT_NE(own, list.end());
    EXPECT_TRUE(own->refusals.empty());
    EXPECT_FALSE(own->features.empty());
    EXPECT_GT(own->memory, 0u);
    EXPECT_GE(own->maxImageSize3d, 256u);  // Vulkan's minimum
    EXPECT_EQ(own->type == "cpu", device().isCpu());
}

std::uint64_t bytesOf(const std::vector<MemoryUse>& uses) {
    return std::accumulate(uses.begin(), uses.end(), std::uint64_t{0}, [](std::uint64_t sum, const MemoryUse& m) { return sum + m.bytes; });
}

TEST(ApiMeasure, ThePlanIsWhatItAllocates) {
    const Scene scene = smallScene();
    const std::vector<MemoryUse> plan = Simulation::plan(device(), scene);
    ASSERT_FALSE(plan.empty());
    const std::uint64_t before = device().memoryUsed();
    const Simulation simulation(device(), scene);
    EXPECT_EQ(device().memoryUsed(), bytesOf(device().memory()));
    // The plan has two recorders, which may have different buffers to read from: less than a megabyte.
    EXPECT_NEAR(static_cast<double>(bytesOf(plan)), static_cast<double>(device().memoryUsed() - before), 1e6);
    EXPECT_GT(bytesOf(Simulation::plan(device(), scene, {.needs = {.picture = true}})), bytesOf(plan));
}

TEST(ApiMeasure, ASceneThatDoesNotFitSaysWhichGridWould) {
    Scene scene = smallScene();
    scene.set("grid.cells", {1600, 1600, 1600}).set("grid.size", {1, 1, 1});
    const Error error = errorOf([&] { Simulation(device(), scene); });
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory) << error.what();
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("available"), HasSubstr("would fit")));
}

TEST(ApiMeasure, MeasuresWithoutWaiting) {
    Simulation simulation(device(), smallScene(), {.residuals = true});
    std::vector<std::uint64_t> steps;
    std::vector<double> masses;
    std::vector<std::size_t> residuals;
    for (int n = 0; n < 4; ++n) {
        simulation.step();
        simulation.measure([&](std::uint64_t step, const Quality& quality) {
            steps.push_back(step);
            masses.push_back(quality.mass);
            residuals.push_back(quality.residuals.size());
        });
    }
    EXPECT_LT(steps.size(), 4u) << "two submits are in flight";
    simulation.wait();
    EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3, 4));
    EXPECT_TRUE(std::ranges::is_sorted(masses, std::less_equal{})) << "an emitter adds smoke in every step";
    EXPECT_THAT(residuals, testing::Each(testing::Ge(2u)));
    EXPECT_EQ(masses.back(), simulation.quality().mass);
    EXPECT_EQ(errorOf([&] { simulation.measure({}); }).code(), ErrorCode::Argument);
}

TEST(ApiMeasure, TimesThePassesOfEachStep) {
    Simulation simulation(device(), smallScene(), {.timing = Timing::Passes});
    std::vector<std::uint64_t> steps;
    simulation.onTimes([&](const SubmitTimes& times) {
        if (!times.stepped) return;
        steps.push_back(times.step);
        EXPECT_GT(times.recordMs, 0.0);
        EXPECT_GT(times.submitMs, 0.0);
        double sum = 0.0;
        for (const PassTime& t : times.passes) sum += t.scope ? 0.0 : t.ms;
        EXPECT_GT(sum, 0.0);
        const auto step = std::ranges::find(times.passes, "step", &PassTime::name);
        ASSERT_NE(step, times.passes.end());
        EXPECT_TRUE(step->scope);
        EXPECT_GE(step->ms, sum * (1.0 - 1e-9)) << "the passes are in the step";
        const auto advect = std::ranges::find_if(times.passes, [](const PassTime& t) { return t.name.starts_with("advect"); });
        ASSERT_NE(advect, times.passes.end());
        EXPECT_GE(advect->calls, 1u);
        EXPECT_GT(advect->threads, 0u);
        EXPECT_GT(advect->bytes, 0u);
    });
    simulation.step(2);
    (void)simulation.read("density");  // another submit, which is no step
    simulation.step();
    simulation.wait();
    EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3));
    simulation.onTimes({});
    simulation.step();
    simulation.wait();
    EXPECT_EQ(steps.size(), 3u);
    Simulation untimed(device(), smallScene());
    EXPECT_EQ(errorOf([&] { untimed.onTimes([](const SubmitTimes&) {}); }).code(), ErrorCode::Argument);
}

TEST(ApiMeasure, TimesPicturesAndStepsAsScopes) {
    Simulation simulation(device(), smallScene(), {.timing = Timing::Scopes});
    Renderer renderer(simulation, {.width = 64, .height = 48});
    simulation.wait();
    std::vector<std::string> names;
    simulation.onTimes([&](const SubmitTimes& times) {
        for (const PassTime& t : times.passes) {
            EXPECT_TRUE(t.scope) << t.name;
            EXPECT_GT(t.ms, 0.0);
            EXPECT_EQ(times.stepped, t.name == "step");
            names.push_back(t.name + std::to_string(times.step));
        }
    });
    simulation.step();
    renderer.draw();
    simulation.step();
    simulation.wait();
    EXPECT_THAT(names, testing::ElementsAre("step1", "frame1", "step2"));
}

TEST(ApiMeasure, TracesWhatRunsWhen) {
    Simulation simulation(device(), smallScene(), {.timing = Timing::Passes, .trace = true});
    simulation.wait();
    EXPECT_GE(simulation.traceClock().deviation, 0);
    const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); };
    const std::int64_t start = now();
    std::vector<SubmitTrace> traces;
    simulation.onTrace([&](const SubmitTrace& trace) { traces.push_back(trace); });
    simulation.step(2);
    simulation.wait();
    const std::int64_t end = now();
    ASSERT_EQ(traces.size(), 2u);
    for (const SubmitTrace& t : traces) {
        EXPECT_TRUE(std::ranges::is_sorted(std::array{start, t.wait, t.record, t.submit, t.end, end}));
        EXPECT_TRUE(std::ranges::any_of(t.gpu, [](const TraceRange& r) { return r.scope && r.name == "step"; }));
        for (const TraceRange& r : t.gpu) EXPECT_LE(r.begin, r.end) << r.name;
    }
    EXPECT_LE(traces[0].end, traces[1].wait);
    Simulation untraced(device(), smallScene());
    EXPECT_EQ(errorOf([&] { untraced.onTrace([](const SubmitTrace&) {}); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { (void)untraced.traceClock(); }).code(), ErrorCode::Argument);
}

TEST(ApiMeasure, ObstaclesStandStillWithoutTheMemoryForTheirMotion) {
    Simulation fixed(device(), smallScene(), {.moves = false}), free(device(), smallScene());
    EXPECT_LE(bytesOf(Simulation::plan(device(), smallScene(), {.moves = false})), bytesOf(Simulation::plan(device(), smallScene())));
    fixed.step(3);
    free.step(3);
    EXPECT_EQ(fixed.read("density").values, free.read("density").values);
    EXPECT_EQ(errorOf([&] { fixed.obstacle(0).place({0.4f, 0.7f, 0.4f}); }).code(), ErrorCode::Unsupported);
}

TEST(ApiMeasure, AGridBeyondTheLargestImageSaysSo) {
    if (!device().isCpu()) GTEST_SKIP() << "only lavapipe has so small a limit";
    const std::uint64_t before = device().memoryUsed();
    Scene scene;
    scene.set("grid.cells", {1500, 1500, 1500}).set("grid.size", {1, 1, 1});
    const Error error = errorOf([&] { (void)Simulation(device(), scene); });
    EXPECT_THAT(error.what(), HasSubstr("MiB, more than the device can hold in one image; the largest that it names is "));
    EXPECT_EQ(device().memoryUsed(), before);
}

TEST(ApiMeasure, EqualRunsHaveEqualHashes) {
    Simulation a(device(), smallScene()), b(device(), smallScene());
    const auto hashOf = [](Simulation& s, const std::string& name) {
        const std::vector<FieldHash> hashes = s.hashes();
        const auto found = std::ranges::find(hashes, name, &FieldHash::name);
        return found == hashes.end() ? std::uint64_t{0} : found->hash;
    };
    a.step(2);
    b.step();
    EXPECT_NE(hashOf(a, "velocity"), 0u);
    EXPECT_NE(hashOf(a, "velocity"), hashOf(b, "velocity"));
    b.step();
    EXPECT_EQ(hashOf(a, "velocity"), hashOf(b, "velocity"));
}

TEST(ApiMeasure, ProbesInterpolateItsFields) {
    Simulation simulation(device(), smallScene());
    simulation.step(4);
    // From the centre of cell (7, 4, 7) to that of (7, 8, 7), in the smoke: at the centres there is nothing to interpolate.
    constexpr float kCell = 0.05f;
    const auto centre = [](int x, int y, int z) {
        const auto at = [](int i) { return (static_cast<float>(i) + 0.5f) * kCell; };
        return std::array<float, 3>{at(x), at(y), at(z)};
    };
    const std::vector<ProbeValue> values = simulation.probe(centre(7, 4, 7), centre(7, 8, 7), 5);
    const FieldData density = simulation.read("density");
    ASSERT_EQ(values.size(), 5u);
    for (int i = 0; i < 5; ++i) {
        const std::size_t cell = (std::size_t{7} * 24 + static_cast<std::size_t>(4 + i)) * 16 + 7;
        const float expected = density.values.at(cell);
        EXPECT_GT(expected, 0.0f);
        // The position of a point is rounded to 1e-7 of the box of 24 cells, so the weight of a neighbour is below 1e-5.
        EXPECT_NEAR(values[static_cast<std::size_t>(i)].density, expected, 1e-5f);
        EXPECT_GT(values[static_cast<std::size_t>(i)].velocity[1], 0.0f) << "the jet rises";
    }
    EXPECT_TRUE(std::isnan(simulation.probe({5, 5, 5}, {5, 5, 5}, 1).at(0).density)) << "outside of the box";
    EXPECT_EQ(errorOf([&] { (void)simulation.probe({0, 0, 0}, {1, 1, 1}, 0); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { (void)simulation.probe({0, 0, NAN}, {1, 1, 1}, 2); }).code(), ErrorCode::Argument);
}

TEST(ApiMeasure, TheWindIsTheVelocityAtAnyPoint) {
    Scene scene = smallScene();
    scene.set("flow.inflow", Value::toml("[0.5, 0.0, 0.25]"));
    Simulation simulation(device(), scene);
    simulation.step(4);
    const FieldData velocity = simulation.read("velocity");
    const gpu::WispWind wind = simulation.wind();
    EXPECT_EQ(wind.h, velocity.lattice.cell);
    EXPECT_EQ(wind.cells.y, 24);
    EXPECT_EQ(wind.ambient.z, 0.25f);
    std::vector<std::array<float, 3>> points;
    const auto at = [&](std::size_t i) { return (static_cast<float>(i) + 0.5f) * wind.h; };
    for (std::size_t j = 1; j < 23; ++j) points.push_back({at(7), at(j), at(7)});
    points.push_back({100.0f, -3.0f, 0.0f});
    points.push_back({NAN, 0.0f, 0.0f});
    const std::vector<std::array<float, 3>> winds = simulation.windAt(points);
    ASSERT_EQ(winds.size(), points.size());
    float fastest = 0.0f;
    for (std::size_t j = 1; j < 23; ++j) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // At centres both are the mean of two faces. Weights of the filter have 8 bits; velocities are below 2 m/s.
            EXPECT_NEAR(winds[j - 1][axis], velocity.values.at(3 * ((7 * 24 + j) * 16 + 7) + axis), 2.0f * 3.0f / 512.0f) << j;
            fastest = std::max(fastest, winds[j - 1][axis]);
        }
    }
    EXPECT_GT(fastest, 0.5f) << "the jet rises";
    EXPECT_LT(fastest, 2.0f);
    EXPECT_EQ(winds[22], (std::array<float, 3>{0.5f, 0.0f, 0.25f})) << "outside of the box";
    EXPECT_TRUE(std::isnan(winds[23][0]));
    EXPECT_TRUE(simulation.windAt({}).empty());
    const std::vector<std::array<float, 3>> many(64 * 65535 + 1);
    EXPECT_EQ(errorOf([&] { (void)simulation.windAt(many); }).code(), ErrorCode::Argument);
}

TEST(ApiMeasure, WhatIsPendingAtTheEndIsNotPassedOn) {
    int calls = 0;
    {
        Simulation simulation(device(), smallScene(), {.timing = Timing::Passes, .trace = true});
        simulation.wait();
        simulation.onTimes([&](const SubmitTimes&) { ++calls; });
        simulation.onTrace([&](const SubmitTrace&) { ++calls; });
        simulation.step();
        simulation.measure([&](std::uint64_t, const Quality&) { ++calls; });
    }
    EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace wisp::test
