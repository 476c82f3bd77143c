// SPDX-License-Identifier: MIT
// Keys of a box that follows a target, of gusts, tracers and grass.
#include "compute/scene/motion.h"
#include "compute/sim/fluid_simulator.h"
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::StartsWith;

const std::string kAll = R"(name = "t"

[flow]
inflow = [1, 2, 3]
gust = 0.75
gust_scale = 0.125

[follow]
keys = [{ t = 0.5, centre = [1, 2, 3] }, { t = 1.5, centre = [4, 5, 6.5] }]

[tracers]
count = 1000
lifetime = 2.5
look = "arrows"
size = 3
arrow = 0.25
speed = 7
brightness = 2

[grass]
count = 4194304
low = [-1, 0.5, -2]
high = [3, 0.5, 4]
height = 0.25
bend = 2
colour = [0.25, 0.5, 0.125]

[camera]
follows = true
)";

std::vector<SceneError> splatErrors(const std::string& text) {
    try {
        parseScene(text, "t.toml");
    } catch (const SceneFailure& e) {
        return e.errors();
    }
    return {};
}

/// The only error of the text, without its line and column.
std::string errorOf(const std::string& text) {
    const std::vector<SceneError> errors = splatErrors(text);
    EXPECT_EQ(errors.size(), 1u) << text;
    return errors.empty() ? "" : errors.front().key + ": " + errors.front().message;
}

TEST(SplatKeys, AreAllReadBackAndWritten) {
    const Settings s = parseScene(kAll, "t.toml");
    EXPECT_EQ(s.flow.gust, 0.75f);
    EXPECT_EQ(s.flow.gustScale, 0.125f);
    EXPECT_EQ(s.follow.keys, (std::vector<PathKey>{{0.5f, {1, 2, 3}}, {1.5f, {4, 5, 6.5f}}}));
    EXPECT_EQ(
        s.tracers,
        (TracerSettings{
            .count = 1000, .lifetime = 2.5f, .look = TracerLook::Arrows, .size = 3.0f, .arrow = 0.25f, .speed = 7.0f, .brightness = 2.0f}));
    EXPECT_EQ(s.grass, (GrassSettings{.count = kMaxSplats,
                                      .low = {-1, 0.5f, -2},
                                      .high = {3, 0.5f, 4},
                                      .height = 0.25f,
                                      .bend = 2.0f,
                                      .colour = {0.25f, 0.5f, 0.125f}}));
    EXPECT_TRUE(s.camera.follows);
    EXPECT_TRUE(s.usesSplats());
    const std::string written = writeScene(s, {});
    EXPECT_EQ(parseScene(written, "t.toml"), s) << written;
    EXPECT_FALSE(parseScene("", "t.toml").usesSplats());
    EXPECT_EQ(parseScene("[tracers]\nlook = \"points\"", "t.toml").tracers.look, TracerLook::Points);
}

TEST(SplatKeys, BadValuesAreNamed) {
    const std::pair<std::string, std::string> cases[] = {
        {"[flow]\ngust = -0.5", "flow.gust: is -0.5, must be from 0"},
        {"[flow]\ngust = nan", "flow.gust: is nan"},
        {"[flow]\ngust_scale = 0", "flow.gust_scale: is 0, must be "},
        {"[follow]\nkeys = [{ t = 1 }, { t = 1 }]", "follow.keys[1].t: is 1, must be later than the key before it, at 1"},
        {"[follow]\nkeys = [{ t = nan }]", "follow.keys[0].t: is nan"},
        {"[follow]\nkeys = [{ centre = [0, inf, 0] }]", "follow.keys[0].centre: is [0, inf, 0]"},
        {"[tracers]\ncount = 4194305", "tracers.count: is 4194305, must be from 0 to 4194304"},
        {"[tracers]\ncount = -1", "tracers.count: is the whole number -1, must be a whole number from 0"},
        {"[tracers]\nlifetime = 0", "tracers.lifetime: is 0, must be above 0"},
        {"[tracers]\nlifetime = nan", "tracers.lifetime: is nan"},
        {"[tracers]\nlook = \"lines\"", "tracers.look: is \"lines\", must be one of: points, arrows"},
        {"[tracers]\nsize = 0", "tracers.size: is 0, must be above 0 and at most 32"},
        {"[tracers]\nsize = 33", "tracers.size: is 33"},
        {"[tracers]\narrow = -1", "tracers.arrow: is -1, must be from 0"},
        {"[tracers]\nspeed = 0", "tracers.speed: is 0, must be above 0"},
        {"[tracers]\nbrightness = -1", "tracers.brightness: is -1, must be from 0"},
        {"[grass]\ncount = 4194305", "grass.count: is 4194305, must be from 0 to 4194304"},
        {"[grass]\nhigh = [-1, 0, 1]", "grass.high: must be greater than grass.low in x and z, and equal to it in y"},
        {"[grass]\nhigh = [1, 0, 0]", "grass.high: must be greater than grass.low"},
        {"[grass]\nlow = [0, 0.5, 0]", "grass.high: must be greater than grass.low"},
        {"[grass]\nlow = [nan, 0, 0]", "grass.low: is [nan, 0, 0]"},
        {"[grass]\nhigh = [1, inf, 1]", "grass.high: is [1, inf, 1]"},
        {"[grass]\nheight = 0", "grass.height: is 0, must be above 0"},
        {"[grass]\nbend = 0", "grass.bend: is 0, must be above 0"},
        {"[grass]\nbend = nan", "grass.bend: is nan"},
        {"[grass]\ncolour = [0, 1.5, 0]", "grass.colour: is [0, 1.5, 0], each must be from 0 to 1"},
        {"[camera]\nfollows = 1", "camera.follows: is the whole number 1, must be true or false"},
        {"[render]\nmode = \"path\"\n[tracers]\ncount = 1", "tracers.count: must be 0 with render.mode = \"path\""},
        {"[render]\nmode = \"path\"\n[grass]\ncount = 1", "grass.count: must be 0 with render.mode = \"path\""},
    };
    for (const auto& [text, expected] : cases) EXPECT_THAT(errorOf(text), StartsWith(expected)) << text;
}

TEST(SplatKeys, InvalidCombinationsAreRefused) {
    const std::string follow = "[follow]\nkeys = [{ t = 0 }]\n", flat = "[grid]\ncells = [32, 32, 1]\nsize = [1, 1, 0.03125]\n";
    EXPECT_THAT(errorOf(follow + "[grid]\nsides = { x0 = \"periodic\", x1 = \"periodic\" }"),
                StartsWith("follow.keys: cannot be combined with periodic sides"));
    EXPECT_THAT(errorOf(follow + flat + "[prescribed]\nfield = \"rotation\""),
                StartsWith("follow.keys: cannot be combined with a prescribed velocity"));
    EXPECT_THAT(splatErrors(follow + flat), testing::IsEmpty());
    for (const std::string marks : {"tracers", "grass"}) {
        EXPECT_THAT(errorOf(flat + "[" + marks + "]\ncount = 1"), StartsWith(marks + ".count: must be 0 in a flat grid"));
        EXPECT_THAT(splatErrors(flat + "[" + marks + "]\ncount = 0"), testing::IsEmpty());
    }
}

// A run allocates memory for the number of tracers and blades, so this number cannot change. All other keys can.
TEST(SplatKeys, MayChangeExceptTheirNumber) {
    const Settings s = parseScene(kAll, "t.toml");
    Settings other = s;
    other.tracers.lifetime = 1.0f;
    other.tracers.look = TracerLook::Points;
    other.grass.count = 3;
    other.flow.gust = 2.0f;
    other.follow.keys.pop_back();
    EXPECT_EQ(fixedKey(s, other), "");
    other.tracers.count = 999;
    EXPECT_EQ(fixedKey(s, other), "tracers.count");
}

// The centre of the box is near the target, in steps of whole pressure cells. The box does not move along axes with walls, or away from the
// ground.
TEST(Following, MovesByWholePressureCells) {
    Settings s;
    s.grid.cells = {32, 16, 16};
    s.grid.size = {2.0f, 1.0f, 1.0f};
    s.grid.pressureRatio = 2;  // pressure cells of 1/8 m
    const auto cells = [&](glm::vec3 target) {
        s.follow.keys = {{.t = 0.0f, .centre = target}};
        return cellsFollowed(s, s.grid.origin, 7.0);
    };
    EXPECT_EQ(cells({1.0f, 0.5f, 0.5f}), glm::i64vec3(0));
    EXPECT_EQ(cells({1.06f, 0.44f, 0.5f}), glm::i64vec3(0));  // less than half a pressure cell
    EXPECT_EQ(cells({1.07f, 0.43f, 0.5f}), glm::i64vec3(2, -2, 0));
    EXPECT_EQ(cells({1e6f + 1.0f, 0.5f, 0.5f}), glm::i64vec3(16000000, 0, 0));
    s.environment.ground = true;
    EXPECT_EQ(cells({2.0f, 1.5f, 1.5f}), glm::i64vec3(16, 0, 16));
    s.environment.ground = false;
    s.grid.sides[5] = Side::Wall;
    EXPECT_EQ(cells({2.0f, 1.5f, 1.5f}), glm::i64vec3(16, 16, 0));
    s.follow.keys.clear();
    EXPECT_EQ(cellsFollowed(s, s.grid.origin, 7.0), glm::i64vec3(0));
}

TEST(Following, CameraFollowsTheTarget) {
    Settings s;
    s.follow.keys = {{0.0f, {1, 2, 3}}, {2.0f, {3, 2, 7}}};
    EXPECT_EQ(cameraAt(s, 1.0), s.camera);
    s.camera.follows = true;
    EXPECT_EQ(cameraAt(s, 0.0), s.camera);
    const CameraSettings after = cameraAt(s, 5.0), between = cameraAt(s, 1.0);
    EXPECT_EQ(after.eye, s.camera.eye + glm::vec3(2, 0, 4));
    EXPECT_EQ(after.target, s.camera.target + glm::vec3(2, 0, 4));
    EXPECT_EQ(between.eye, s.camera.eye + glm::vec3(1, 0, 2));  // linear between two keys
    s.follow.keys.clear();
    EXPECT_EQ(cameraAt(s, 1.0), s.camera);
}

}  // namespace
}  // namespace wisp::app
