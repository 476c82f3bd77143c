// SPDX-License-Identifier: MIT
// The library's own device: steps, fields, handles, checkpoints, pictures, and errors.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

namespace wisp::test {
namespace {

using testing::HasSubstr;

TEST(ApiSimulation, StepsAndReadsItsFields) {
    Simulation simulation(device(), smallScene());
    EXPECT_EQ(simulation.steps(), 0u);
    simulation.step(10);
    EXPECT_EQ(simulation.steps(), 10u);
    EXPECT_NEAR(simulation.time(), 0.2, 1e-7);
    EXPECT_THAT(simulation.fields(), testing::ElementsAre("density", "temperature", "velocity", "pressure"));
    const FieldData density = simulation.read("density"), velocity = simulation.read("velocity");
    EXPECT_THAT(density.lattice.size, testing::ElementsAre(16, 24, 16));
    EXPECT_FLOAT_EQ(density.lattice.cell, 0.05f);
    EXPECT_EQ(density.values.size(), 16u * 24u * 16u);
    EXPECT_EQ(velocity.values.size(), 3 * density.values.size());
    // The mass of the quality report is the sum of the density outside the ball, which holds none.
    const double sum = std::accumulate(density.values.begin(), density.values.end(), 0.0), volume = std::pow(0.05, 3.0);
    const Quality quality = simulation.quality();
    EXPECT_TRUE(quality.finite());
    EXPECT_GT(quality.mass, 0.0);
    EXPECT_NEAR(sum * volume, quality.mass + quality.leakedMass, 1e-5 * quality.mass);
    EXPECT_THAT(simulation.read("pressure").lattice.size, testing::ElementsAre(8, 12, 8));
}

TEST(ApiSimulation, ResetAndAnotherSimulationGiveTheSameBits) {
    Simulation simulation(device(), smallScene());
    simulation.step(5);
    const std::vector<float> first = densityOf(simulation);
    simulation.reset();
    EXPECT_EQ(simulation.steps(), 0u);
    simulation.step(2);
    simulation.step(3);
    EXPECT_EQ(densityOf(simulation), first);
    Simulation other(device(), smallScene());
    other.step(5);
    EXPECT_EQ(densityOf(other), first);
}

TEST(ApiSimulation, ItsMemoryIsFreedWithIt) {
    const std::uint64_t before = device().memoryUsed();
    {
        Simulation simulation(device(), smallScene());
        simulation.step(3);
        EXPECT_GT(device().memoryUsed(), before);
    }
    EXPECT_EQ(device().memoryUsed(), before);
}

TEST(ApiSimulation, ACheckpointGoesOnWithTheSameBits) {
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "run.wisp").string();
    Simulation simulation(device(), smallScene());
    simulation.step(4);
    simulation.save(file);
    Simulation resumed = Simulation::resume(device(), file);
    EXPECT_EQ(resumed.steps(), 4u);
    EXPECT_EQ(resumed.scene().get("name"), "\"small\"");
    simulation.step(4);
    resumed.step(4);
    EXPECT_EQ(densityOf(resumed), densityOf(simulation));
    std::ofstream(file, std::ios::trunc) << "not a checkpoint";
    EXPECT_EQ(errorOf([&] { (void)Simulation::resume(device(), file); }).code(), ErrorCode::File);
    std::filesystem::remove(file);
    EXPECT_EQ(errorOf([&] { (void)Simulation::resume(device(), file); }).code(), ErrorCode::File);
    EXPECT_EQ(errorOf([&] { simulation.save("/nowhere/at/all.wisp"); }).code(), ErrorCode::Output);
}

TEST(ApiSimulation, ACheckpointGoesOnWithAnotherScene) {
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "run.wisp").string();
    Simulation simulation(device(), smallScene());
    simulation.step(3);
    simulation.save(file);
    Scene scene = Scene::ofCheckpoint(file);
    EXPECT_EQ(scene.toml(), smallScene().toml());
    scene.set("flow.gravity", {1, 0, 0});
    Simulation other = Simulation::resume(device(), file, scene);
    EXPECT_EQ(other.steps(), 3u);
    EXPECT_EQ(other.read("density").values, simulation.read("density").values);
    simulation.set("flow.gravity", {1, 0, 0});
    simulation.step(3);
    other.step(3);
    EXPECT_EQ(other.read("density").values, simulation.read("density").values);
    scene.set("grid.cells", {32, 48, 32});
    const Error error = errorOf([&] { (void)Simulation::resume(device(), file, scene); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.key(), "grid.cells");
    EXPECT_THAT(error.what(), HasSubstr("grid.cells is [16, 24, 16] in the checkpoint and [32, 48, 32] in the scene"));
    std::filesystem::remove(file);
}

TEST(ApiSimulation, ChangesTakeEffectFromTheNextStepOn) {
    Simulation simulation(device(), smallScene());
    simulation.step(3);
    const double before = simulation.quality().mass;
    simulation.set("flow.density_decay", 50.0);
    simulation.set("emitter[0].density", 0.0);
    EXPECT_EQ(simulation.scene().get("flow.density_decay"), "50.0");
    simulation.step(5);
    EXPECT_LT(simulation.quality().mass, 0.05 * before);  // exp(-50 * 0.1)
    const Error error = errorOf([&] { simulation.set("grid.cells", {8, 12, 8}); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("grid.cells"));
    EXPECT_EQ(errorOf([&] { simulation.set("flow.viscosity", -1.0); }).code(), ErrorCode::Scene);
    EXPECT_EQ(simulation.scene().get("grid.cells"), "[16, 24, 16]");
}

TEST(ApiSimulation, TheHostMovesObstaclesAndEmitters) {
    Simulation simulation(device(), smallScene());
    Obstacle ball = simulation.obstacle(0);
    Emitter jet = simulation.emitter(0);
    simulation.step();
    ball.place({0.5f, 0.7f, 0.4f});
    simulation.step();
    EXPECT_THAT(ball.centre(), testing::ElementsAre(0.5f, 0.7f, 0.4f));
    simulation.step();  // it stands still now
    EXPECT_THAT(ball.centre(), testing::ElementsAre(0.5f, 0.7f, 0.4f));
    ball.velocity({0.0f, -1.0f, 0.0f});
    simulation.step(5);
    EXPECT_NEAR(ball.centre()[1], 0.6f, 1e-5f);
    jet.place({0.2f, 0.2f, 0.2f});
    jet.velocity({0.0f, 0.0f, 2.0f});
    simulation.step();
    const FieldData density = simulation.read("density");
    EXPECT_GE(density.values[(4 * 24 + 4) * 16 + 4], 0.99f);  // the cell at its centre
    simulation.reset();
    EXPECT_THAT(ball.centre(), testing::ElementsAre(0.45f, 0.7f, 0.4f));
}

TEST(ApiSimulation, HandlesTellWhereTheirThingsAreAndWhereTheyGo) {
    Scene scene = smallScene();
    scene.set("emitter[0].keys", Value::toml("[{t = 0, centre = [0.4, 0.2, 0.4]}, {t = 0.1, centre = [0.6, 0.2, 0.4]}]"));
    scene.set("obstacle[0].velocity", {0.5, 0, 0}).add("obstacle", "{shape = \"sphere\", centre = [0.1, 1, 0.1], radius = 0.05}");
    Simulation simulation(device(), scene);
    EXPECT_EQ(simulation.obstacleCount(), 2u);
    EXPECT_EQ(simulation.emitterCount(), 1u);
    Obstacle ball = simulation.obstacle(0);
    Emitter jet = simulation.emitter(0);
    // Whoever moves it: the velocity is the one with which the next step moves the centre. Positions below 1 m round to 6e-8.
    const auto expectStep = [&](float x, const char* how) {
        EXPECT_NEAR(ball.velocity()[0], x, 1e-5f) << how;
        const std::array<float, 3> from = ball.centre(), v = ball.velocity();
        simulation.step();
        for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(ball.centre()[axis], from[axis] + 0.02f * v[axis], 1e-6f) << how;
    };
    expectStep(0.5f, "by the scene");
    ball.place({0.48f, 0.7f, 0.4f});
    expectStep(1.0f, "by place");
    expectStep(0.0f, "after place");
    ball.velocity({-0.25f, 0.0f, 0.0f});
    expectStep(-0.25f, "by velocity");
    EXPECT_THAT(simulation.obstacle(1).velocity(), testing::ElementsAre(0.0f, 0.0f, 0.0f));
    simulation.step();
    EXPECT_NEAR(jet.centre()[0], 0.6f, 1e-6f);  // at the end of its path, after 0.1 s
    jet.place({0.3f, 0.25f, 0.4f});
    EXPECT_THAT(jet.centre(), testing::ElementsAre(0.3f, 0.25f, 0.4f));
    simulation.reset();
    EXPECT_THAT(jet.centre(), testing::ElementsAre(0.4f, 0.2f, 0.4f));
}

TEST(ApiSimulation, WhatTheHostSetsOfAnEmitterHoldsUntilAReset) {
    const auto densityAtCorner = [](Simulation& simulation) { return simulation.read("density").values[(4 * 24 + 4) * 16 + 4]; };
    Simulation simulation(device(), smallScene());
    simulation.emitter(0).place({0.2125f, 0.2125f, 0.2125f});
    simulation.set("seed", 5);  // any change of the scene
    simulation.step();
    EXPECT_GE(densityAtCorner(simulation), 0.99f);
    simulation.reset();
    simulation.step();
    EXPECT_LT(densityAtCorner(simulation), 0.01f);  // again where the scene has it
}

/// A ball that the host moves acts as one that moves by its scene.
TEST(ApiSimulation, AnObstacleMovedByTheHostActsAsOneOfTheScene) {
    Scene own = smallScene();
    own.set("obstacle[0].velocity", {0.5, 0, 0});
    Simulation byScene(device(), own), byHost(device(), smallScene());
    byHost.obstacle(0).velocity({0.5f, 0.0f, 0.0f});
    byScene.step(4);
    byHost.step(4);
    const std::vector<float> a = densityOf(byScene), b = densityOf(byHost);
    // The centres differ by roundings of the sum of steps, about 1e-7 m, over a cell of 0.05 m; half floats round to 5e-4.
    for (std::size_t n = 0; n < a.size(); ++n) ASSERT_NEAR(a[n], b[n], 2e-3f) << n;
}

TEST(ApiSimulation, WrongArgumentsSayWhatIsRight) {
    Simulation simulation(device(), smallScene());
    const auto codeOf = [](const std::function<void()>& call) { return errorOf(call).code(); };
    EXPECT_EQ(codeOf([&] { (void)simulation.obstacle(1); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { (void)simulation.emitter(7); }), ErrorCode::Argument);
    EXPECT_THAT(errorOf([&] { (void)simulation.read("smoke"); }).what(), HasSubstr("density, temperature, velocity, pressure"));
    EXPECT_EQ(codeOf([&] { (void)simulation.field("fuel"); }), ErrorCode::Argument);
    std::vector<float> few(10);
    EXPECT_THAT(errorOf([&] { simulation.read("density", few.data(), few.size()); }).what(), HasSubstr("6144 floats, not 10"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(codeOf([&] { simulation.obstacle(0).place({nan, 0, 0}); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { simulation.emitter(0).velocity({0, nan, 0}); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { simulation.record({}); }), ErrorCode::Argument);
    Scene wrong = smallScene();
    wrong.set("flow.viscosity", -1.0);
    EXPECT_EQ(codeOf([&] { (void)Simulation(device(), wrong); }), ErrorCode::Scene);
    EXPECT_EQ(codeOf([] { (void)Device(DeviceOptions{.select = "no such device"}); }), ErrorCode::NoDevice);
    simulation.step();  // still usable
}

TEST(ApiSimulation, WhatIsOutdatedSaysSo) {
    std::optional<Simulation> simulation(std::in_place, device(), smallScene());
    const Field before = simulation->field("density");
    EXPECT_NE(before.image(), nullptr);
    EXPECT_EQ(before.bricks(), nullptr);
    simulation->step();
    EXPECT_EQ(errorOf([&] { (void)before.image(); }).code(), ErrorCode::Outdated);
    const Field after = simulation->field("velocity");
    EXPECT_NE(after.view(), nullptr);
    simulation->reset();
    EXPECT_EQ(errorOf([&] { (void)after.view(); }).code(), ErrorCode::Outdated);
    Obstacle ball = simulation->obstacle(0);
    Emitter jet = simulation->emitter(0);
    simulation.reset();
    EXPECT_EQ(errorOf([&] { ball.place({0, 0, 0}); }).code(), ErrorCode::Outdated);
    EXPECT_EQ(errorOf([&] { jet.place({0, 0, 0}); }).code(), ErrorCode::Outdated);
    EXPECT_EQ(errorOf([&] { (void)ball.velocity(); }).code(), ErrorCode::Outdated);
    EXPECT_EQ(errorOf([&] { (void)jet.centre(); }).code(), ErrorCode::Outdated);
}

TEST(ApiSimulation, SparseFieldsAreReadAsWholeBoxes) {
    Scene scene = smallScene();
    scene.set("grid.cells", {32, 48, 32}).set("grid.sparse", true);
    Simulation simulation(device(), scene);
    simulation.step(3);
    const FieldData density = simulation.read("density");
    const double sum = std::accumulate(density.values.begin(), density.values.end(), 0.0), volume = std::pow(0.025, 3.0);
    const Quality quality = simulation.quality();
    EXPECT_NEAR(sum * volume, quality.mass + quality.leakedMass, 1e-5 * quality.mass);
    EXPECT_NE(simulation.field("density").bricks(), nullptr);
    EXPECT_EQ(simulation.read("velocity").values.size(), 3u * 32 * 48 * 32);
}

}  // namespace
}  // namespace wisp::test
