// SPDX-License-Identifier: MIT
// What a host gives to a simulation between its steps: strokes of a brush, a target of the box, and what ends them.
#include "tests/api/host.h"
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wisp::test {
namespace {

using testing::HasSubstr;

constexpr const char* kEmptyBox = R"(
    [grid]
    cells = [16, 16, 16]
    size = [1.0, 1.0, 1.0]
    [flow]
    density_decay = 0.0
    buoyancy = 0.0
)";

constexpr const char* kFollowing = R"(
    [grid]
    cells = [16, 8, 16]
    pressure_ratio = 1
    size = [16.0, 8.0, 16.0]
    [flow]
    inflow = [0.0, 0.0, 0.0]
    [follow]
    keys = [{ t = 0.0, centre = [8.0, 4.0, 8.0] }]
)";

double sum(const FieldData& field) { return std::accumulate(field.values.begin(), field.values.end(), 0.0); }
float mostOf(const FieldData& field) { return *std::ranges::max_element(field.values); }

TEST(ApiInput, ABrushAddsSmokeInOneStep) {
    Simulation simulation(device(), Scene::parse(kEmptyBox));
    simulation.step();
    EXPECT_EQ(sum(simulation.read("density")), 0.0);
    simulation.paint({.from = {0.4f, 0.5f, 0.5f}, .to = {0.6f, 0.5f, 0.5f}, .radius = 0.2f, .density = 2.0f});
    simulation.step();
    const FieldData painted = simulation.read("density");
    EXPECT_NEAR(mostOf(painted), 2.0f, 2e-3f);  // densities are 16-bit floats
    const double once = sum(painted);
    EXPECT_GT(once, 100.0) << "a capsule of 0.06 m^3 has 240 of the 4096 cells, with a density of 2";
    simulation.step();
    EXPECT_NEAR(sum(simulation.read("density")), once, 1e-3 * once) << "nothing moves, and nothing is added";
    simulation.paint({.from = {0.5f, 0.5f, 0.5f}, .to = {0.5f, 0.5f, 0.5f}, .radius = 0.2f, .velocity = {{0.0f, 3.0f, 0.0f}}});
    simulation.step();
    const FieldData velocity = simulation.read("velocity");
    EXPECT_GT(velocity.values[3 * (8 + 16 * (8 + 16 * 8)) + 1], 1.0f);
}

TEST(ApiInput, TheFirstColourTakesMemoryForColours) {
    Simulation simulation(device(), Scene::parse(kEmptyBox));
    simulation.step();
    EXPECT_THAT(simulation.fields(), testing::Not(testing::Contains("colour")));
    simulation.paint({.from = {0.5f, 0.5f, 0.5f}, .to = {0.5f, 0.5f, 0.5f}, .radius = 0.2f, .colour = {1.0f, 0.5f, 0.0f}});
    simulation.step();
    EXPECT_THAT(simulation.fields(), testing::Contains("colour"));
    const FieldData colour = simulation.read("colour");
    const float* const middle = &colour.values[3 * (8 + 16 * (8 + 16 * 8))];
    EXPECT_NEAR(middle[0], 1.0f, 2e-3f);
    EXPECT_NEAR(middle[1], 0.5f, 2e-3f);
    EXPECT_NEAR(middle[2], 0.0f, 2e-3f);
}

TEST(ApiInput, ABrushPushesTheFluidOfAFlatGrid) {
    Simulation simulation(device(), Scene::parse("[grid]\ncells = [32, 32, 1]\nsize = [1.0, 1.0, 0.03125]\n"));
    simulation.paint({.from = {0.4f, 0.5f, 0.0f}, .to = {0.6f, 0.5f, 0.0f}, .radius = 0.1f, .force = 20.0f});
    simulation.step();
    EXPECT_GT(sum(simulation.read("density")), 10.0);
    const FieldData velocity = simulation.read("velocity");
    EXPECT_GT(velocity.values[3 * (16 + 32 * 16)], 0.5f) << "along the path";
}

// The picture of a flat grid shows the dye in its colour.
TEST(ApiInput, TheFirstColourIsSeen) {
    Simulation simulation(device(), Scene::parse("[grid]\ncells = [32, 32, 1]\nsize = [1.0, 1.0, 0.03125]\n[[light]]\nintensity = 12.6\n"
                                                 "[environment]\ncolour = [0.0, 0.0, 0.0]\n"));
    Renderer renderer(simulation, {.width = 32, .height = 32});
    simulation.step();
    renderer.draw();
    simulation.paint({.from = {0.4f, 0.5f, 0.0f}, .to = {0.6f, 0.5f, 0.0f}, .radius = 0.1f, .density = 2.0f, .colour = {1.0f, 0.0f, 0.0f}});
    simulation.step();
    renderer.draw();
    const PictureData picture = renderer.read();
    const std::uint8_t* const middle = &picture.rgba[4 * (16 * 32 + 16)];
    EXPECT_GT(middle[0], 100);
    EXPECT_LT(middle[2], middle[0] / 4);
}

TEST(ApiInput, AStrokeThatIsWrongNamesTheMember) {
    Simulation simulation(device(), Scene::parse(kEmptyBox));
    const auto refused = [&](const BrushStroke& stroke) {
        const Error error = errorOf([&] { simulation.paint(stroke); });
        EXPECT_EQ(error.code(), ErrorCode::Argument);
        return std::string(error.what());
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(refused({.from = {0, kNan, 0}}), HasSubstr("BrushStroke: from"));
    EXPECT_THAT(refused({.to = {kNan, 0, 0}}), HasSubstr("BrushStroke: to"));
    EXPECT_THAT(refused({.radius = 0.0f}), HasSubstr("radius is 0; must be above 0"));
    EXPECT_THAT(refused({.density = kNan}), HasSubstr("density"));
    EXPECT_THAT(refused({.fuel = 1.5f}), HasSubstr("fuel is 1.5; must be 0 to 1"));
    EXPECT_THAT(refused({.colour = {1, 2, 1}}), HasSubstr("colour is 2; must be 0 to 1"));
    EXPECT_THAT(refused({.velocity = {{0, 0, kNan}}}), HasSubstr("velocity"));
    simulation.step();
    EXPECT_EQ(sum(simulation.read("density")), 0.0) << "none of them was added";
}

TEST(ApiInput, ClearRemovesTheSmokeAndKeepsTheTime) {
    Simulation simulation(device(), smallScene());
    simulation.step(5);
    ASSERT_GT(sum(simulation.read("density")), 1.0);
    const double time = simulation.time();
    simulation.clear();
    EXPECT_EQ(sum(simulation.read("density")), 0.0);
    EXPECT_EQ(mostOf(simulation.read("velocity")), 0.0f);
    EXPECT_EQ(simulation.steps(), 5u);
    EXPECT_EQ(simulation.time(), time);
    simulation.step();
    EXPECT_GT(sum(simulation.read("density")), 1.0) << "emitters stay";
}

TEST(ApiInput, TheBoxFollowsATargetOfTheHost) {
    const Scene scene = Scene::parse(kFollowing);
    Simulation simulation(device(), scene);
    const auto corner = [&] { return simulation.lattice("density").origin; };
    simulation.step();
    EXPECT_EQ(corner(), (std::array<float, 3>{0, 0, 0}));
    simulation.follow({11.0f, 4.0f, 6.0f});
    simulation.step();
    EXPECT_EQ(corner(), (std::array<float, 3>{3, 0, -2}));
    Scene other = scene;
    other.set("flow.vorticity", 0.5);
    simulation.change(other);
    simulation.step();
    EXPECT_EQ(corner(), (std::array<float, 3>{3, 0, -2})) << "another key does not end it";
    other.set("follow.keys", Value::toml("[{t = 0.0, centre = [9.0, 4.0, 8.0]}]"));
    simulation.change(other);
    simulation.step();
    EXPECT_EQ(corner(), (std::array<float, 3>{1, 0, 0}));
    simulation.follow({20.0f, 4.0f, 8.0f});
    simulation.reset();
    EXPECT_EQ(corner(), (std::array<float, 3>{1, 0, 0}));
    EXPECT_EQ(errorOf([&] { simulation.follow({std::nanf(""), 0, 0}); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { simulation.follow({1e30f, 0, 0}); }).code(), ErrorCode::Argument);
    simulation.step();
    EXPECT_EQ(corner(), (std::array<float, 3>{1, 0, 0})) << "refused targets change nothing";
    Simulation fixed(device(), smallScene());
    const Error error = errorOf([&] { fixed.follow({0, 0, 0}); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.key(), "follow.keys");
}

TEST(ApiInput, ACameraThatFollowsGoesWithATargetOfTheHost) {
    Scene scene = Scene::parse(kFollowing);
    scene.set("camera.follows", true)
        .set("camera.eye", Value::toml("[8.0, 4.0, 30.0]"))
        .set("camera.target", Value::toml("[8.0, 4.0, 8.0]"));
    const auto pictureAt = [](Simulation& simulation) {
        Renderer renderer(simulation, {.width = 32, .height = 32});
        simulation.paint({.from = {14, 4, 8}, .to = {14, 4, 8}, .radius = 2.0f, .density = 2.0f});
        simulation.step();
        (void)renderer.draw();
        return renderer.readRadiance();
    };
    Scene keyed = scene;
    keyed.set("follow.keys", Value::toml("[{t = 0.0, centre = [8.0, 4.0, 8.0]}, {t = 0.001, centre = [12.0, 4.0, 8.0]}]"));
    Simulation byKeys(device(), keyed), byHost(device(), scene), still(device(), scene);
    byHost.follow({12, 4, 8});
    for (Simulation* s : {&byKeys, &byHost, &still}) s->step();
    const auto moved = pictureAt(byKeys);
    EXPECT_EQ(pictureAt(byHost), moved);
    EXPECT_NE(pictureAt(still), moved);
    byHost.reset();
    still.reset();
    byHost.step();
    still.step();
    EXPECT_EQ(pictureAt(byHost), pictureAt(still)) << "a reset ends it";
}

TEST(ApiInput, ReleasedObjectsAreAgainWhereTheSceneHasThem) {
    Simulation simulation(device(), smallScene());
    Obstacle ball = simulation.obstacle(0);
    Emitter jet = simulation.emitter(0);
    ball.place({0.3f, 0.8f, 0.4f});
    jet.place({0.5f, 0.2f, 0.4f});
    jet.velocity({0.0f, 2.0f, 0.0f});
    simulation.step(2);
    EXPECT_EQ(ball.centre()[0], 0.3f);
    EXPECT_EQ(jet.centre()[0], 0.5f);
    ball.release();
    jet.release();
    simulation.step();
    EXPECT_EQ(ball.centre()[0], 0.45f);
    EXPECT_EQ(jet.centre()[0], 0.4f);
    simulation.set("obstacle[0].centre", {0.5, 0.7, 0.4});
    simulation.step();
    EXPECT_EQ(ball.centre()[0], 0.5f) << "it follows the scene again";
}

TEST(ApiInput, ARemovedEmitterLeavesNothingToTheNextOne) {
    Scene scene = smallScene();
    Simulation simulation(device(), scene);
    const auto own = simulation.emitter(0).centre();
    simulation.emitter(0).place({0.25f, 0.25f, 0.25f});
    simulation.change(Scene(scene).remove("emitter", 0));
    EXPECT_EQ(simulation.emitterCount(), 0u);
    simulation.change(scene);
    EXPECT_EQ(simulation.emitter(0).centre(), own);
}

TEST(ApiInput, AChangeThatNeedsANewSimulationNamesTheKey) {
    Simulation simulation(device(), smallScene());
    Scene other = smallScene();
    other.set("grid.cells", {24, 36, 24});
    const Error error = errorOf([&] { simulation.change(other); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.key(), "grid.cells");
}

TEST(ApiInput, ObstaclesCanBeAddedToASceneWithoutAny) {
    const Scene empty = Scene::parse(kEmptyBox);
    Scene with = empty;
    with.add("obstacle", "{centre = [0.5, 0.5, 0.5], radius = 0.2}");
    Simulation plain(device(), empty), ready(device(), empty, {.addsObstacles = true});
    EXPECT_EQ(errorOf([&] { plain.change(with); }).code(), ErrorCode::Unsupported);
    ready.change(with);
    ready.obstacle(0).velocity({1.0f, 0.0f, 0.0f});
    ready.step(2);
    EXPECT_GT(mostOf(ready.read("velocity")), 0.1f);
}

TEST(ApiInput, MemoryThatIsNotThereIsKnownBefore) {
    Scene scene = smallScene();
    EXPECT_NO_THROW(Simulation::requireMemory(device(), scene, {.needs = {.picture = true}}));
    scene.set("grid.cells", {1024, 1536, 1024});
    const Error error = errorOf([&] { Simulation::requireMemory(device(), scene, {.needs = {.picture = true}}); });
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("[1024, 1536, 1024] cells with an image of 64x96"), HasSubstr("would fit")));
    EXPECT_THAT(errorOf([&] { Simulation::requireMemory(device(), scene); }).what(), testing::Not(HasSubstr("with an image")));
}

TEST(ApiInput, TheExactDensityIsKnownUntilSmokeIsAdded) {
    Simulation simulation(device(),
                          Scene::parse("[grid]\ncells = [32, 32, 1]\nsize = [1.0, 1.0, 0.03125]\n[flow]\ndensity_decay = 0.0\n"
                                       "[[initial]]\nfield = \"gaussian\"\ncentre = [0.5, 0.75, 0.0]\ndensity = 1.0\n[prescribed]\n"
                                       "field = \"rotation\"\n"));
    simulation.step();
    EXPECT_TRUE(simulation.knowsExact());
    EXPECT_TRUE(simulation.quality().error);
    simulation.paint({.from = {0.5f, 0.5f, 0.0f}, .to = {0.5f, 0.5f, 0.0f}});
    simulation.step();
    EXPECT_FALSE(simulation.knowsExact());
    EXPECT_FALSE(simulation.quality().error);
}

// A host edits the scene between recording and submitting.
TEST(ApiInputOfHost, AChangeDoesNotWaitForItsCommands) {
    Host host;
    DeviceRef ref = host.ref();
    ref.patience = 0.0;
    const Device borrowed(ref);
    Simulation simulation(borrowed, smallScene());
    simulation.wait();
    host.recordOnly([&](VkCommandBuffer commands, std::uint64_t value) {
        simulation.record({commands, host.timeline, value});
        simulation.set("flow.vorticity", 0.7);
        simulation.paint({.from = {0.4f, 0.5f, 0.4f}, .to = {0.4f, 0.6f, 0.4f}, .radius = 0.1f});
        simulation.emitter(0).place({0.5f, 0.2f, 0.4f});
        simulation.record({commands, host.timeline, value});
        EXPECT_EQ(errorOf([&] { simulation.clear(); }).code(), ErrorCode::HostTimeout) << "this one submits";
    });
    host.submitPending();
    host.wait();
    EXPECT_EQ(simulation.steps(), 2u);
    EXPECT_GT(sum(simulation.read("density")), 1.0);
    EXPECT_THAT(host.messages, testing::IsEmpty());
}

}  // namespace
}  // namespace wisp::test
