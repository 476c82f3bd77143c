// SPDX-License-Identifier: MIT
// A user turns the arrows of a prescribed velocity in a window.
#include "compute/scene/prescribed.h"
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr const char* kLab = R"(
name = "window"
[grid]
cells = [32, 32, 1]
size = [1.0, 1.0, 0.03125]
[flow]
density_decay = 0.0
[prescribed]
field = "arrows"
speed = 0.1
[[initial]]
centre = [0.5, 0.5, 0.0]
radius = 0.2
density = 1.0
[[light]]
intensity = 12.6
[environment]
colour = [0.0, 0.0, 0.0]
[view]
arrows = 2
)";

class WindowArrows : public WindowTest {
protected:
    Settings saved(const std::string& number) { return loadScene(folder.path() / ("window-" + number + ".toml")); }
};

// The box fills a square window. The centre of tile (2, 12) is at 2.5/16 from the left and 3.5/16 from the top.
TEST_F(WindowArrows, ADragTurnsOneAndUndoTurnsItBack) {
    const Outcome o = drive(
        "xdotool windowsize --sync $ID 640 640; later; xdotool key Tab; later; eval $(xdotool getwindowgeometry --shell $ID)\n"
        "to() { xdotool mousemove -- $((X + WIDTH * $1 / 64)) $((Y + HEIGHT * $2 / 64)); }\n"
        "kept() { xdotool key ctrl+s; until_true \"[ -e window-$1.toml ]\"; }\n"
        "to 11 14; sleep 0.3; xdotool mousedown 1; to 30 20; sleep 0.2; to 10 2; sleep 0.3; xdotool mouseup 1; later; kept 000\n"
        "xdotool key ctrl+z; later; kept 001; xdotool key ctrl+q",
        "", kLab);
    expectEnded(o);
    const PrescribedSettings turned = saved("000").prescribed;
    ASSERT_EQ(turned.arrows.size(), 1u) << "other arrows under the drag must not turn";
    EXPECT_EQ(turned.arrows[0].at, glm::uvec2(2, 12));
    EXPECT_NEAR(turned.arrows[0].angle, glm::half_pi<float>(), 0.05f) << "the arrow must point up";
    EXPECT_TRUE(saved("001").prescribed.arrows.empty()) << "undo must revert the whole drag";
}

}  // namespace
}  // namespace wisp::test
