// SPDX-License-Identifier: MIT
// Several threads: one simulation is for one at a time, several share a device.
#include "tests/api/small_scene.h"

#include <atomic>
#include <thread>

namespace wisp::test {
namespace {

TEST(ApiThreads, TwoThreadsInOneSimulationAreAnError) {
    Simulation simulation(device(), smallScene());
    std::atomic<bool> done = false;
    std::atomic<int> busy = 0, steps = 0;
    const auto work = [&] {
        for (int n = 0; n < 40 && !done; ++n) {
            try {
                simulation.step();
                ++steps;
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::Busy) << e.what();
                ++busy;
            }
        }
        done = busy > 0;
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    EXPECT_GT(busy.load(), 0);
    EXPECT_EQ(simulation.steps(), static_cast<std::uint64_t>(steps.load()));
}

TEST(ApiThreads, TwoSimulationsOnTwoThreadsGiveWhatEachGivesAlone) {
    const auto run = [] {
        Simulation simulation(device(), smallScene());
        simulation.step(6);
        return densityOf(simulation);
    };
    const std::vector<float> alone = run();
    std::vector<float> first, second;
    std::thread a([&] { first = run(); }), b([&] { second = run(); });
    a.join();
    b.join();
    EXPECT_EQ(first, alone);
    EXPECT_EQ(second, alone);
}

TEST(ApiThreads, AnotherThreadSeesTheProgressAndNothingElse) {
    constexpr std::uint32_t kSteps = 200;
    Simulation simulation(device(), smallScene());
    Renderer renderer(simulation, {.width = 8, .height = 8});
    Obstacle ball = simulation.obstacle(0);
    Emitter jet = simulation.emitter(0);
    std::thread worker([&] { simulation.step(kSteps); });
    while (simulation.steps() == 0) std::this_thread::yield();
    const auto codeOf = [](const std::function<void()>& call) { return errorOf(call).code(); };
    EXPECT_EQ(codeOf([&] { renderer.setCamera(Camera{}); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { renderer.useSceneCamera(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)renderer.picture(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.scene(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.fields(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.lattice("density"); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.components("density"); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.obstacle(0); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)simulation.emitterCount(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)ball.centre(); }), ErrorCode::Busy);
    EXPECT_EQ(codeOf([&] { (void)jet.centre(); }), ErrorCode::Busy);
    const std::uint64_t steps = simulation.steps();
    const double time = simulation.time();
    EXPECT_LT(steps, kSteps);  // the calls above were during the steps
    EXPECT_GE(time, 0.02 * static_cast<double>(steps) - 1e-6);
    EXPECT_NEAR(simulation.timeStep(), 0.02, 1e-9);
    worker.join();
    EXPECT_EQ(simulation.steps(), kSteps);
    EXPECT_NEAR(simulation.time(), 0.02 * kSteps, 1e-6);
    renderer.setCamera(Camera{});  // still usable
    EXPECT_EQ(simulation.obstacleCount(), 1u);
}

}  // namespace
}  // namespace wisp::test
