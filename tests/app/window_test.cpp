// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#include "tests/app/run_program.h"

#include <gtest/gtest.h>

namespace wisp::test {
namespace {

// A scene so small that pictures come quickly on a software device.
constexpr const char* kScene = R"(
name = "window"
[grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
[[emitter]]
centre = [0.5, 0.2, 0.5]
radius = 0.15
velocity = [0.0, 1.0, 0.0]
density = 1.0
[[obstacle]]
centre = [0.5, 0.6, 0.5]
radius = 0.15
[[light]]
intensity = 10.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
)";

class WindowTest : public testing::Test {
protected:
    /// Runs `wisp run` on the scene in a display of its own, and `script` beside it, in which $WISP is its process.
    Outcome drive(const std::string& script) {
        const std::string command = "cat > scene.toml <<'END'\n" + std::string(kScene) +
                                    "END\n"
                                    "xvfb-run -a -s '-screen 0 900x700x24' bash -c '\n"
                                    "openbox & MANAGER=$!\n" WISP_BINARY
                                    " run scene.toml --validate & WISP=$!\n"
                                    "for i in $(seq 300); do ID=$(xdotool search --onlyvisible --class wisp 2>/dev/null | tail -1); [ -n \"$ID\" ] && break; sleep 0.1; done\n"
                                    "xdotool windowactivate --sync $ID; sleep 2\n" +
                                    script +
                                    "\nfor i in $(seq 100); do kill -0 $WISP 2>/dev/null || break; sleep 0.1; done\n"
                                    "kill -9 $WISP 2>/dev/null && echo it did not end\n"
                                    "wait $WISP; STATUS=$?; kill $MANAGER; exit $STATUS'";
        return runShell(command, folder.path());
    }
    /// By itself, without an error or a message of the validation layers.
    static void expectEnded(const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.output << o.errors;
        EXPECT_EQ(o.output.find("did not end"), std::string::npos);
    }
    ScratchFolder folder;
};

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
