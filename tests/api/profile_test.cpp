// SPDX-License-Identifier: MIT
// What profilers and benchmarks ask: peaks of a device, work of passes, other options while a simulation runs.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const PassWork* workOf(const std::vector<PassWork>& work, const std::string& name) {
    const auto found = std::ranges::find(work, name, &PassWork::name);
    return found == work.end() ? nullptr : &*found;
}

TEST(ApiProfile, MeasuresThePeaksOfADevice) {
    const std::uint64_t before = device().memoryUsed();
    const DevicePeaks peaks = device().peaks();
    for (const double peak : {peaks.copy, peaks.operations, peaks.samples, peaks.fetches}) EXPECT_GT(peak, 1e5);
    EXPECT_GT(peaks.operations, peaks.samples) << "a trilinear sample takes many operations";
    EXPECT_GT(device().peakSamples(), 1e5);
    EXPECT_EQ(device().memoryUsed(), before) << "what it allocates is free again";
}

// With half storage and without obstacles' motion, a step of the small scene computes two paths for each cell centre, of two samples each.
TEST(ApiProfile, InspectsThePassesOfAStep) {
    Simulation simulation(device(), smallScene());
    simulation.step(2);
    const std::vector<PassWork> work = simulation.inspect();
    EXPECT_EQ(simulation.steps(), 4u) << "it makes two steps";
    const PassWork* const backtrace = workOf(work, "backtrace");
    ASSERT_NE(backtrace, nullptr);
    constexpr std::uint64_t kCells = 16 * 24 * 16;
    EXPECT_GE(backtrace->samples, 2 * kCells);
    EXPECT_LE(backtrace->samples, 4 * kCells) << "paths that meet the ball take some more";
    EXPECT_GT(backtrace->operations, kCells);
    if (backtrace->invocations > 0) {
        EXPECT_GE(backtrace->invocations, kCells) << "whole work groups";
    }
    const PassWork* const project = workOf(work, "project");
    ASSERT_NE(project, nullptr);
    EXPECT_GT(project->bufferWords, 0u) << "it loads the pressure";
    EXPECT_EQ(workOf(work, "raymarch"), nullptr) << "there is no picture";
    EXPECT_EQ(backtrace->pipeline.empty(), !device().hasPipelineStatistics());
}

TEST(ApiProfile, InspectionDoesNotChangeTheRun) {
    Simulation inspected(device(), smallScene()), plain(device(), smallScene());
    Renderer renderer(inspected, {.width = 32, .height = 32});
    inspected.step();
    (void)inspected.inspect(&renderer);
    inspected.step();
    plain.step(4);
    EXPECT_EQ(inspected.read("density").values, plain.read("density").values);
    EXPECT_EQ(inspected.read("velocity").values, plain.read("velocity").values);
    Renderer other(plain, {.width = 32, .height = 32});
    other.draw();
    renderer.draw();
    EXPECT_EQ(renderer.read().rgba, other.read().rgba);
}

TEST(ApiProfile, InspectsPicturesAndPassesThatAStepLacks) {
    Simulation simulation(device(), smallScene()), other(device(), smallScene());
    Renderer renderer(simulation, {.width = 32, .height = 32});
    const std::vector<PassWork> work = simulation.inspect(&renderer, {"scroll_faces", "raymarch"});
    const PassWork* const raymarch = workOf(work, "raymarch");
    ASSERT_NE(raymarch, nullptr);
    EXPECT_GT(raymarch->operations, 32u * 32u);
    const PassWork* const scroll = workOf(work, "scroll_faces");
    ASSERT_NE(scroll, nullptr);
    EXPECT_EQ(scroll->operations, 0u) << "the box stands still";
    EXPECT_EQ(std::ranges::count(work, "raymarch", &PassWork::name), 1);
    EXPECT_NO_THROW((void)renderer.read()) << "there is a picture now";
    const Error unknown = errorOf([&] { (void)simulation.inspect(nullptr, {"nosuch"}); });
    EXPECT_EQ(unknown.code(), ErrorCode::Argument);
    EXPECT_THAT(unknown.what(), HasSubstr("\"nosuch\""));
    EXPECT_EQ(errorOf([&] { (void)other.inspect(&renderer); }).code(), ErrorCode::Argument);
    EXPECT_EQ(other.steps(), 0u);
}

TEST(ApiProfile, BricksAreNotCounted) {
    Scene scene = smallScene();
    scene.set("grid.cells", {32, 48, 32}).set("grid.sparse", true);
    Simulation simulation(device(), scene);
    const std::vector<PassWork> work = simulation.inspect();
    EXPECT_EQ(simulation.steps(), 1u);
    ASSERT_FALSE(work.empty());
    for (const PassWork& pass : work) EXPECT_EQ(pass.operations, 0u) << pass.name;
}

TEST(ApiProfile, PathTracedPicturesGetOneSample) {
    Scene scene = smallScene();
    scene.set("render.mode", "path").set("render.samples", 64);
    Simulation simulation(device(), scene);
    Renderer renderer(simulation, {.width = 16, .height = 16});
    simulation.step();
    const std::vector<PassWork> work = simulation.inspect(&renderer);
    const PassWork* const path = workOf(work, "path");
    ASSERT_NE(path, nullptr);
    EXPECT_GT(path->operations, 0u);
    const PassWork* const occupancy = workOf(work, "occupancy");
    ASSERT_NE(occupancy, nullptr);
    EXPECT_GT(occupancy->operations, 0u) << "only the first sample of a picture computes it: each inspected picture begins anew";
    if (path->invocations > 0) {
        EXPECT_LT(path->invocations, 64u * 16 * 16);
    }
    const PathProgress one = renderer.refine(1), two = renderer.refine(1);
    EXPECT_EQ(one.samples, 1u) << "the sample of the inspection does not count";
    EXPECT_EQ(two.samples, 2u);
    EXPECT_GT(two.segments, one.segments);
}

// Below 16 samples the noise cannot end a picture, so it is not measured.
TEST(ApiProfile, PathTracedPicturesOfFewSamplesAreNotMeasured) {
    Scene scene = smallScene();
    scene.set("render.mode", "path").set("render.samples", 2);
    Simulation simulation(device(), scene, {.timing = Timing::Passes});
    Renderer renderer(simulation, {.width = 16, .height = 16});
    simulation.wait();
    std::vector<SubmitTimes> times;
    simulation.onTimes([&](const SubmitTimes& t) { times.push_back(t); });
    const auto passesOf = [&](std::uint32_t samples) {
        times.clear();
        simulation.set("render.samples", samples);
        renderer.draw();
        simulation.wait();
        std::vector<std::string> names;
        for (const SubmitTimes& t : times)
            for (const PassTime& p : t.passes) names.push_back(p.name);
        return names;
    };
    EXPECT_THAT(passesOf(2), AllOf(testing::Contains("path"), testing::Not(testing::Contains("path_measure"))));
    EXPECT_EQ(std::ranges::count_if(times, [](const SubmitTimes& t) { return t.passes.empty(); }), 0) << "no submit is empty";
    EXPECT_THAT(passesOf(17), testing::Contains("path_measure"));
}

TEST(ApiProfile, MeasuresOtherTimesWhileItRuns) {
    Simulation simulation(device(), smallScene(), {.timing = Timing::Scopes});
    std::vector<SubmitTimes> times;
    std::size_t traces = 0;
    simulation.wait();  // the reset with which it begins is a submit as well
    simulation.onTimes([&](const SubmitTimes& t) { times.push_back(t); });
    simulation.step();
    simulation.setTiming(Timing::Off);
    simulation.setResiduals(true);
    ASSERT_EQ(times.size(), 1u) << "of the step before; setTiming waits";
    EXPECT_EQ(times[0].passes.size(), 1u) << "the scope of the step";
    simulation.step();
    EXPECT_GE(simulation.quality().residuals.size(), 2u);
    EXPECT_EQ(times.size(), 1u);
    simulation.setTiming(Timing::Passes, true);
    simulation.setResiduals(false);
    simulation.onTrace([&](const SubmitTrace& trace) {
        ++traces;
        EXPECT_GT(trace.gpu.size(), 5u);
    });
    simulation.step(2);
    simulation.wait();
    EXPECT_TRUE(simulation.quality().residuals.empty());
    ASSERT_GE(times.size(), 3u);
    EXPECT_EQ(times[1].step, 3u);
    EXPECT_GT(times[1].passes.size(), 5u);
    EXPECT_GE(traces, 2u);
    EXPECT_GE(simulation.traceClock().deviation, 0);
    simulation.setTiming(Timing::Scopes);
    EXPECT_EQ(errorOf([&] { (void)simulation.traceClock(); }).code(), ErrorCode::Argument);
    const std::size_t before = traces;
    simulation.step();
    simulation.wait();
    EXPECT_EQ(traces, before);
}

TEST(ApiProfile, PipelinesAreSavedWhenAsked) {
    const ScratchFolder scratch;
    const std::filesystem::path& folder = scratch.path();
    {
        Device cached({.cacheFolder = folder.string()});
        Simulation simulation(cached, smallScene());
        simulation.step();
        EXPECT_FALSE(cached.savePipelines().empty());
        EXPECT_FALSE(std::filesystem::is_empty(folder)) << "before the end of the device";
    }
}

TEST(ApiScene, ListsItsQualities) {
    EXPECT_THAT(Scene::qualities(), testing::ElementsAre("draft", "preview", "standard", "high", "ultra"));
    Scene scene = smallScene();
    for (const std::string& quality : Scene::qualities()) EXPECT_EQ(scene.setQuality(quality).quality(), quality);
}

}  // namespace
}  // namespace wisp::test
