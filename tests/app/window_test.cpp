// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace wisp::test {
namespace {

TEST_F(WindowTest, WithoutADisplaySaysWhatToDo) {
    const Outcome o = runShell("env -u DISPLAY -u WAYLAND_DISPLAY " WISP_BINARY " run", folder.path());
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.errors.find("wisp render"), std::string::npos) << o.errors;
}

TEST_F(WindowTest, OpensAndQuitsByKey) {
    const Outcome o = drive("xdotool key F1 F3; shot 000; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"scene.toml", "window-000.png"}));
    EXPECT_EQ(readFile(folder.path() / "window-000.png").substr(1, 3), "PNG");
}

TEST_F(WindowTest, ClosesByTheWindowManagerAfterManySizes) {
    const Outcome o = drive(
        "for n in $(seq 200); do xdotool windowsize $ID $((300 + 37 * n % 400)) $((240 + 53 * n % 300)); sleep 0.0$((n % 5)); done\n"
        "N=$(grep -c leaked $LOG); said leaked $((N + 1))\n"
        "xdotool key F11; sleep 1; xdotool key F11; sleep 1\n"
        "xdotool windowminimize $ID; sleep 1; xdotool windowmap $ID; xdotool windowactivate --sync $ID; shot 000\n"
        "xdotool windowactivate --sync $ID; xdotool key alt+F4");
    expectEnded(o);
}

TEST_F(WindowTest, ClosesWhenItIsInterrupted) {
    for (const char* signal : {"INT", "TERM"}) {
        const Outcome o = drive(
            "N=$(grep -c leaked $LOG); said leaked $((N + 1)); kill -" + std::string(signal) +
            " $WISP; finish; STATUS=$?; [ -s $XDG_CONFIG_HOME/wisp/window.toml ] || echo the place is forgotten; exit $STATUS");
        EXPECT_EQ(o.status, 130) << o.output << o.errors;
        EXPECT_EQ(o.output.find("waited in vain"), std::string::npos) << o.output;
        EXPECT_EQ(o.output.find("forgotten"), std::string::npos) << o.output;
    }
}

TEST_F(WindowTest, DragsPaintsAndTurns) {
    const Outcome o = drive(
        "eval $(xdotool getwindowgeometry --shell $ID)\n"
        "xdotool mousemove $((X + WIDTH / 4)) $((Y + HEIGHT * 9 / 20)) mousedown 1; for n in $(seq 20); do xdotool mousemove_relative 4 1; "
        "sleep 0.03; done; xdotool mouseup 1; sleep 1\n"
        "xdotool mousemove $((X + WIDTH * 2 / 5)) $((Y + HEIGHT / 2)) mousedown 3 mousemove_relative -- -90 60 mouseup 3; sleep 1\n"
        "xdotool mousemove $((X + WIDTH / 20)) $((Y + HEIGHT / 2)) mousedown 1 mousemove_relative -- 60 20 mouseup 1 click 4 click 5; "
        "sleep 1\n"
        "xdotool key ctrl+q");
    expectEnded(o);
}

TEST_F(WindowTest, OpensWhereItWasLeft) {
    // The runs of one script share their settings. Positions are those of the contents of the window, so that a border that is added twice
    // is detected.
    const char* const kPlace = "eval $(xdotool getwindowgeometry --shell $ID); echo place $X $Y $WIDTH $HEIGHT\n";
    const Outcome o = drive(
        std::string("xdotool windowsize --sync $ID 500 400; xdotool windowmove --sync $ID 150 120; xdotool key F3 o; sleep 1\n") + kPlace +
        "xdotool key ctrl+q; finish || exit; start\n" + kPlace + "xdotool key ctrl+q; finish || exit; start\n" + kPlace +
        "xdotool key F11; sleep 2; xdotool key ctrl+q; finish || exit; start\n" + kPlace + "xdotool key F11; sleep 4\n" + kPlace +
        "cp $XDG_CONFIG_HOME/wisp/window.toml kept.toml; xdotool key ctrl+q");
    expectEnded(o);
    std::vector<std::string> places;
    std::istringstream lines(o.output);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("place ")) places.push_back(line);
    ASSERT_EQ(places.size(), 5u) << o.output;
    EXPECT_THAT(places[0], testing::EndsWith(" 500 400"));
    EXPECT_EQ(places[1], places[0]);
    EXPECT_EQ(places[2], places[0]);
    EXPECT_EQ(places[3], "place 0 0 900 700");  // full screen
    EXPECT_EQ(places[4], places[0]);
    EXPECT_THAT(readFile(folder.path() / "kept.toml"),
                testing::AllOf(testing::HasSubstr("profiler = true"), testing::HasSubstr("outlines = false")));
    EXPECT_EQ(o.errors.find("warning"), std::string::npos) << o.errors;
}

TEST_F(WindowTest, ResumesFromACheckpoint) {
    const Outcome o = drive(
        "said \"t = \" 2; xdotool key ctrl+shift+s; until_true \"[ -e window-000.checkpoint ]\"; xdotool key ctrl+q; finish || exit\n"
        "SCENE=\"--resume window-000.checkpoint\"; start; said \"resumed at step [1-9]\" 1; shot 000; xdotool key ctrl+q; finish || "
        "exit\n" WISP_BINARY " render --resume window-000.checkpoint --size 32x32 --frames 2 --out rest --validate; ls rest");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::HasSubstr("0000.png\n0001.png\n"));
}

// The quality level scales the grid of the run. If the scaled grid were saved, opening the saved scene would scale it again.
TEST_F(WindowTest, SavesTheScenesOwnGrid) {
    const Outcome o = drive(
        "xdotool key ctrl+q; finish || exit\n"
        "SCENE=\"scene.toml --quality ultra\"; start; xdotool key ctrl+s; until_true \"[ -e window-000.toml ]\"; xdotool key ctrl+q; "
        "finish || exit\n" WISP_BINARY " check scene.toml --quality ultra; " WISP_BINARY " check window-000.toml");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::HasSubstr("scene.toml: valid: \"window\", 32x32x32 cells"));
    EXPECT_THAT(o.output, testing::HasSubstr("window-000.toml: valid: \"window\", 16x16x16 cells"));
}

TEST_F(WindowTest, SettingsThatAreWrongAreSetAside) {
    const Outcome o = drive(
        "xdotool key ctrl+q; finish || exit; echo nonsense >$XDG_CONFIG_HOME/wisp/window.toml; start; xdotool key ctrl+q; finish || exit; "
        "ls $XDG_CONFIG_HOME/wisp\n"
        // A position on a missing monitor, and one beyond the monitor: valid, but not visible.
        "for NAME in gone screen; do printf \"[window]\\nsize = [400, 300]\\nmonitor = \\\"$NAME\\\"\\nposition = [5000, 5000]\\n\" "
        ">$XDG_CONFIG_HOME/wisp/window.toml\n"
        "start; xdotool getwindowgeometry --shell $ID; xdotool key ctrl+q; finish || exit; done");
    expectEnded(o);
    EXPECT_THAT(o.errors, testing::HasSubstr("renamed to window.toml.bad"));
    EXPECT_THAT(o.output, testing::HasSubstr("window.toml\nwindow.toml.bad\n"));
    std::istringstream lines(o.output);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("X=") || line.starts_with("Y=")) {
            EXPECT_LT(std::stoi(line.substr(2)), 700) << o.output;
        }
}

}  // namespace
}  // namespace wisp::test
