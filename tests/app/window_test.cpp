// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#include "tests/app/window_fixture.h"

namespace wisp::test {
namespace {

TEST_F(WindowTest, WithoutADisplaySaysWhatToDo) {
    const Outcome o = runShell("env -u DISPLAY -u WAYLAND_DISPLAY " WISP_BINARY " run", folder.path());
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.errors.find("wisp render"), std::string::npos) << o.errors;
}

TEST_F(WindowTest, OpensAndQuitsByKey) {
    const Outcome o = drive("xdotool key F1 F3 F12; sleep 2; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"scene.toml", "window-000.png"}));
    EXPECT_EQ(readFile(folder.path() / "window-000.png").substr(1, 3), "PNG");
}

TEST_F(WindowTest, ClosesByTheWindowManagerAfterManySizes) {
    const Outcome o = drive(
        "for n in $(seq 30); do xdotool windowsize $ID $((300 + 37 * n % 400)) $((240 + 53 * n % 300)); sleep 0.05; done\n"
        "xdotool key F11; sleep 1; xdotool key F11; sleep 1\n"
        "xdotool windowminimize $ID; sleep 1; xdotool windowmap $ID; sleep 1\n"
        "xdotool windowactivate --sync $ID; xdotool key alt+F4");
    expectEnded(o);
}

TEST_F(WindowTest, DragsPaintsAndTurns) {
    const Outcome o = drive(
        "eval $(xdotool getwindowgeometry --shell $ID)\n"
        "xdotool mousemove $((X + WIDTH / 2)) $((Y + HEIGHT * 2 / 5)) mousedown 1; for n in $(seq 20); do xdotool mousemove_relative 4 1; sleep 0.03; done; xdotool mouseup 1; sleep 1\n"
        "xdotool mousemove $((X + WIDTH * 3 / 4)) $((Y + HEIGHT / 2)) mousedown 3 mousemove_relative -- -90 60 mouseup 3; sleep 1\n"
        "xdotool mousemove $((X + WIDTH * 9 / 10)) $((Y + HEIGHT / 2)) mousedown 1 mousemove_relative -- -60 20 mouseup 1 click 4 click 5; sleep 1\n"
        "xdotool key ctrl+q");
    expectEnded(o);
}

}  // namespace
}  // namespace wisp::test
