// SPDX-License-Identifier: MIT
// A box that follows a target, which a user drags in a window and sends elsewhere.
#include "app/run/checkpoint_file.h"
#include "app/scene/scene.h"
#include "compute/scene/motion.h"
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp::test {
namespace {

// Seen from straight before the ball: the picture is 16.6 m high there.
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
    /// For scripts: `at X Y` moves the mouse there, in shares of the window; `kept N` saves scene N, and `run N` checkpoint N.
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
    Settings scene(const std::string& number) { return app::loadScene(folder.path() / ("window-" + number + ".toml")); }
    /// Cells that the box had gone in a checkpoint.
    glm::i64vec3 gone(const std::string& number) {
        return app::CheckpointFile(folder.path() / ("window-" + number + ".checkpoint")).head().run.followed;
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
    EXPECT_GT(x, 2.5f) << "a quarter of a picture 16 m wide, less for what is taken at its front";
    EXPECT_LT(x, 5.0f);
    EXPECT_NEAR(place(moved).y, 2.0f, 0.3f);
    EXPECT_EQ(moved.obstacles[0].keys, moved.follow.keys) << "the ball is still on it";
    EXPECT_EQ(gone("000").x, std::lround(x)) << "whole cells of a metre";
    EXPECT_EQ(gone("000").y, 0) << "on the ground";
    EXPECT_TRUE(moved.camera.follows);
    EXPECT_NEAR(moved.camera.eye.x, x, 0.1f) << "as before the ball as it was";
    EXPECT_NEAR(moved.camera.target.x, x, 0.1f);
    EXPECT_NEAR(place(scene("001")).x, 0.0f, 1e-6f) << "the drag was one change";
    EXPECT_EQ(scene("002").follow, moved.follow);
    EXPECT_EQ(place(scene("003")), glm::vec3(0.0f, 2.0f, 0.0f)) << "R begins the scene's way again";
    EXPECT_EQ(scene("003").obstacles[0].keys, scene("003").follow.keys);
    EXPECT_EQ(gone("001"), glm::i64vec3(0));
    EXPECT_NEAR(scene("003").camera.eye.x, 0.0f, 0.1f);
    EXPECT_NE(readFile(folder.path() / "window-000.png"), readFile(folder.path() / "window-001.png"));
}

// Near the horizon T is a jump by more than the box; from the checkpoint it goes on there.
TEST_F(WindowWind, JumpsToTheMouseAndGoesOnFromThere) {
    const Outcome o = wind(
        "at 50 14; xdotool key t; kept 000; run 000; N=$(grep -c \"t = \" $LOG); said \"t = \" $((N + 2)); at 50 2; xdotool key t; kept "
        "001; xdotool key ctrl+q; finish || exit\n"
        "SCENE=\"--resume window-000.checkpoint\"; start; said \"resumed at step [1-9]\" 1; later; run 001; kept 002; xdotool key ctrl+q; "
        "finish || exit\n" WISP_BINARY " render --resume window-001.checkpoint --size 32x32 --frames 2 --out rest --validate; ls rest");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::HasSubstr("0000.png\n0001.png\n"));
    const Settings far = scene("000");
    EXPECT_LT(place(far).z, -17.0f) << "more than the box";
    EXPECT_EQ(place(far).y, 2.0f) << "on its level";
    EXPECT_EQ(far.obstacles[0].keys, far.follow.keys);
    EXPECT_EQ(gone("000").z, std::lround(place(far).z));
    EXPECT_EQ(gone("001"), gone("000")) << "a checkpoint's box goes no way twice";
    EXPECT_EQ(scene("002").follow, far.follow);
    EXPECT_NEAR(scene("002").camera.eye.z, far.camera.eye.z, 5.0f)
        << "beside the target, however long the keys of a shortcut were seen as those that fly";
    EXPECT_EQ(scene("001").follow, far.follow) << "there is no level in the sky";
    EXPECT_THAT(o.errors, testing::Not(testing::HasSubstr("no longer finite")));
}

// The ball stays where the scene says; the box goes.
TEST_F(WindowWind, ControlTakesTheTargetAloneOutOfTheBall) {
    const Outcome o = wind(
        "at 50 50; xdotool keydown ctrl; xdotool mousedown 1; at 60 50; xdotool keyup ctrl; at 70 50; xdotool mouseup 1; free 1; kept 000; "
        "run 000; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_GT(place(scene("000")).x, 1.5f);
    EXPECT_EQ(scene("000").obstacles[0].keys[0].centre, glm::vec3(0.0f, 2.0f, 0.0f));
    EXPECT_EQ(gone("000").x, std::lround(place(scene("000")).x));
}

}  // namespace
}  // namespace wisp::test
