// SPDX-License-Identifier: MIT
// A box that follows a target. A user drags the target in a window and moves it with T.
#include "compute/scene/motion.h"
#include "files/checkpoint/checkpoint_file.h"
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp::test {
namespace {

// The ball is seen from the front. At its distance the picture is 16.6 m high.
constexpr const char* kWind = R"(
name = "window"
[grid]
cells = [16, 8, 16]
pressure_ratio = 1
size = [16.0, 8.0, 16.0]
origin = [-8.0, 0.0, -8.0]
[flow]
inflow = [2.0, 0.0, 0.5]
density_decay = 0.0
[follow]
keys = [{ t = 0.0, centre = [0.0, 2.0, 0.0] }]
[[obstacle]]
centre = [0.0, 2.0, 0.0]
radius = 1.5
keys = [{ t = 0.0, centre = [0.0, 2.0, 0.0] }]
[[initial]]
shape = "box"
min = [-8.0, 0.0, -8.0]
max = [8.0, 8.0, 8.0]
velocity = [2.0, 0.0, 0.5]
[tracers]
count = 200
[grass]
count = 500
low = [-30.0, 0.0, -10.0]
high = [30.0, 0.0, 10.0]
[environment]
ground = true
[[light]]
intensity = 5.0
[camera]
eye = [0.0, 8.0, 19.0]
target = [0.0, 2.0, 0.0]
fov = 45.0
follows = true
)";

class WindowWind : public WindowTest {
protected:
    /// For scripts: `at X Y` moves the mouse, in fractions of the window. `kept N` saves scene N. `run N` saves checkpoint N.
    Outcome wind(const std::string& script, const std::string& environment = "") {
        return drive(
            "xdotool windowsize --sync $ID 640 640; later; xdotool key Tab; later\n"
            "at() { xdotool mousemove --window $ID $((640 * $1 / 100)) $((640 * $2 / 100)); sleep 0.3; }\n"
            "kept() { later; xdotool key ctrl+s; until_true \"[ -e window-$1.toml ]\"; }\n"
            "run() { xdotool key ctrl+shift+s; until_true \"[ -e window-$1.checkpoint ]\"; }\n"
            "free() { said \"interaction ended\" $1; later; }\n" +
                script,
            environment, kWind);
    }
    Settings scene(const std::string& number) { return loadScene(folder.path() / ("window-" + number + ".toml")); }
    /// Cells by which the box has moved, from a checkpoint.
    glm::i64vec3 boxOffset(const std::string& number) {
        return CheckpointFile(folder.path() / ("window-" + number + ".checkpoint")).head().run.followed;
    }
    static glm::vec3 place(const Settings& s) { return targetPosition(s.follow, 0.0); }
};

TEST_F(WindowWind, TheBoxGoesWhereTheBallIsDraggedAndTheCameraAfterIt) {
    const Outcome o = wind(
        "shot 000; at 50 50; xdotool mousedown 1; at 60 50; at 75 50; xdotool mouseup 1; free 1; kept 000; run 000; shot 001\n"
        "xdotool key ctrl+z; kept 001; xdotool key ctrl+y; kept 002; xdotool key r; later; kept 003; run 001; xdotool key ctrl+q");
    expectEnded(o);
    const Settings moved = scene("000");
    ASSERT_EQ(moved.follow.keys.size(), 1u);
    const float x = place(moved).x;
    EXPECT_GT(x, 2.5f) << "a quarter of the 16 m width of the picture, less because the front of the ball is dragged";
    EXPECT_LT(x, 5.0f);
    EXPECT_NEAR(place(moved).y, 2.0f, 0.3f);
    EXPECT_EQ(moved.obstacles[0].keys, moved.follow.keys) << "the ball must stay attached to the target";
    EXPECT_EQ(boxOffset("000").x, std::lround(x)) << "the box must move by whole cells of 1 m";
    EXPECT_EQ(boxOffset("000").y, 0) << "the box must stay on the ground";
    EXPECT_TRUE(moved.camera.follows);
    EXPECT_NEAR(moved.camera.eye.x, x, 0.1f) << "the camera must be at the same offset from the ball";
    EXPECT_NEAR(moved.camera.target.x, x, 0.1f);
    EXPECT_NEAR(place(scene("001")).x, 0.0f, 1e-6f) << "undo must revert the whole drag";
    EXPECT_EQ(scene("002").follow, moved.follow);
    EXPECT_EQ(place(scene("003")), glm::vec3(0.0f, 2.0f, 0.0f)) << "R must restore the path of the scene";
    EXPECT_EQ(scene("003").obstacles[0].keys, scene("003").follow.keys);
    EXPECT_EQ(boxOffset("001"), glm::i64vec3(0));
    EXPECT_NEAR(scene("003").camera.eye.x, 0.0f, 0.1f);
    EXPECT_NE(readFile(folder.path() / "window-000.png"), readFile(folder.path() / "window-001.png"));
}

// With the mouse near the horizon, T jumps by more than the size of the box. A run resumed from the checkpoint continues at the new
// position.
TEST_F(WindowWind, JumpsToTheMouseAndResumesThere) {
    const Outcome o = wind(
        "at 50 14; xdotool key t; kept 000; run 000; N=$(grep -c \"t = \" $LOG); said \"t = \" $((N + 2)); at 50 2; xdotool key t; kept "
        "001; xdotool key ctrl+q; finish || exit\n"
        "SCENE=\"--resume window-000.checkpoint\"; start; said \"resumed at step [1-9]\" 1; later; run 001; kept 002; xdotool key ctrl+q; "
        "finish || exit\n" WISP_BINARY " render --resume window-001.checkpoint --size 32x32 --frames 2 --out rest --validate; ls rest");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::HasSubstr("0000.png\n0001.png\n"));
    const Settings far = scene("000");
    EXPECT_LT(place(far).z, -17.0f) << "the jump must be longer than the box";
    EXPECT_EQ(place(far).y, 2.0f) << "the target must keep its height";
    EXPECT_EQ(far.obstacles[0].keys, far.follow.keys);
    EXPECT_EQ(boxOffset("000").z, std::lround(place(far).z));
    EXPECT_EQ(boxOffset("001"), boxOffset("000")) << "the shift of the box must not be applied twice after a resume";
    EXPECT_EQ(scene("002").follow, far.follow);
    EXPECT_NEAR(scene("002").camera.eye.z, far.camera.eye.z, 5.0f)
        << "the camera must stay beside the target, although a key of a shortcut may also have been read as a key for flying";
    EXPECT_EQ(scene("001").follow, far.follow) << "above the horizon T has no effect";
    EXPECT_THAT(o.errors, testing::Not(testing::HasSubstr("no longer finite")));
}

// The ball stays at the position of the scene; the box moves.
TEST_F(WindowWind, ControlTakesTheTargetAloneOutOfTheBall) {
    const Outcome o = wind(
        "at 50 50; xdotool keydown ctrl; xdotool mousedown 1; at 60 50; xdotool keyup ctrl; at 70 50; xdotool mouseup 1; free 1; kept 000; "
        "run 000; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_GT(place(scene("000")).x, 1.5f);
    EXPECT_EQ(scene("000").obstacles[0].keys[0].centre, glm::vec3(0.0f, 2.0f, 0.0f));
    EXPECT_EQ(boxOffset("000").x, std::lround(place(scene("000")).x));
}

}  // namespace
}  // namespace wisp::test
