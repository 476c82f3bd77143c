// SPDX-License-Identifier: MIT
// Commands of a user in the window: other scenes, dropped files, undo, saving. The tests read the results from the files that the window
// writes.
#include "files/checkpoint/checkpoint_file.h"
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>

#include <bit>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class WindowCommands : public WindowTest {
protected:
    /// For scripts: `drop FILE` drops a file. `saved N` saves the scene as file N and waits for the file. `later` waits for pictures that
    /// begin after the previous actions: it waits for two more measurements, and the second is of such a picture.
    Outcome wish(const std::string& script, const std::string& environment = "") {
        return drive("drop() { " WISP_DROP
                     " $ID $PWD/$1 || echo \"$1 was not taken\"; }\n"
                     "saved() { xdotool key ctrl+s; until_true \"[ -e window-$1.toml ]\"; }\n" +
                         script,
                     environment);
    }
    void write(const std::string& name, const std::string& text) { std::ofstream(folder.path() / name) << text; }
    /// A panel at the left, 360 pixels wide.
    void placePanel() {
        std::filesystem::create_directories(folder.path() / "config/wisp");
        write("config/wisp/window.toml",
              "[window]\nsize = [800, 600]\n[panels]\nside = \"left\"\nlayout = \"[Window][wisp]\\nPos=0,0\\nSize=360,600\\n\"\n");
    }
    /// Moves the mouse to the list of quality levels, in the fifth line of this panel.
    const std::string kQuality = "xdotool mousemove --window $ID 200 141";
    Settings scene(const std::string& name) { return loadScene(folder.path() / name); }
};

TEST_F(WindowCommands, ADroppedSceneIsOpenedAndABadOneIsNot) {
    std::string other = kWindowScene;
    other.replace(other.find("\"window\""), 8, "\"other\"");
    write("other.toml", other);
    write("bad.toml", "[grid]\ncells = [16, 16, 15]\n");
    const Outcome o = wish(
        "drop bad.toml; said \"bad.toml:2:9: grid.cells\" 1; shot 000\n"
        "drop other.toml; later; xdotool key F12; until_true \"[ -e other-000.png ]\"; xdotool key F5; xdotool key F12; until_true \"[ -e "
        "other-001.png ]\"; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::Not(HasSubstr("not taken")));
}

TEST_F(WindowCommands, ReloadsItsFileAndKeepsTheOldOneWhereThatIsWrong) {
    const Outcome o = wish(
        "sed -i \"s/\\\"window\\\"/\\\"second\\\"/\" scene.toml; xdotool key F5; later; xdotool key F12; until_true \"[ -e second-000.png "
        "]\"\n"
        "echo nonsense >>scene.toml; xdotool key F5; said \"scene.toml:.*nonsense\\|scene.toml:[0-9]*:\" 1; xdotool key F12; until_true "
        "\"[ -e second-001.png ]\"\n"
        "rm scene.toml; xdotool key F5; said \"No such file\" 1; xdotool key F12; until_true \"[ -e second-002.png ]\"; xdotool key "
        "ctrl+q");
    expectEnded(o);
}

TEST_F(WindowCommands, DroppedFilesAreChangesThatCanBeUndone) {
    write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n");
    write("note.txt", "no scene");
    write("sky.hdr", std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n") + "\x80\x80\x80\x81\x40\x40\x40\x81");
    const Outcome o = wish(
        "said \"t = \" 1; saved 000\n"
        "drop note.txt; said \"note.txt: is not a scene\" 1; drop open.obj; said \"open.obj: \" 1; saved 001\n"
        "drop tetra.obj; later; saved 002; xdotool key ctrl+z; later; saved 003; xdotool key ctrl+y; later; saved 004\n"
        "xdotool key ctrl+z; later; xdotool key ctrl+shift+z; later; saved 005; drop sky.hdr; later; saved 006; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::Not(HasSubstr("not taken")));
    for (const auto& [name, obstacles] : {std::pair("window-000.toml", 1u),
                                          {"window-001.toml", 1u},
                                          {"window-002.toml", 2u},
                                          {"window-003.toml", 1u},
                                          {"window-004.toml", 2u},
                                          {"window-005.toml", 2u},
                                          {"window-006.toml", 2u}}) {
        const Settings s = scene(name);
        ASSERT_EQ(s.obstacles.size(), obstacles) << name;
        EXPECT_EQ(s.meshes.size(), obstacles - 1) << name;
        if (obstacles == 1) continue;
        EXPECT_EQ(s.obstacles[1].shape.kind, ShapeKind::Mesh);
        EXPECT_EQ(s.obstacles[1].shape.centre, glm::vec3(0.5f)) << "the obstacle must be visible";
        EXPECT_EQ(s.obstacles[1].shape.scale, 0.25f);
    }
    EXPECT_EQ(scene("window-005.toml").environment.image, nullptr);
    EXPECT_NE(scene("window-006.toml").environment.image, nullptr);
}

// The mouse selects another quality in the panel, which is restored at its previous position. Half as many cells along an edge then run. A
// checkpoint contains these cells, a saved scene those of the scene.
TEST_F(WindowCommands, AnotherQualityBeginsAgainWithOtherCells) {
    placePanel();
    // The first line of the list: letters are 13 or 14 pixels high.
    const Outcome o = wish(
        "said \"t = \" 1; " + kQuality +
            "; later; xdotool click 1; later; xdotool mousemove --window $ID 200 168; later; xdotool click 1\n"
            "said \"grid.cells has changed: the simulation restarts\" 1; xdotool mousemove --window $ID 600 300; saved 000\n"
            "xdotool key ctrl+shift+s; until_true \"[ -e window-000.checkpoint ]\"; xdotool key ctrl+q",
        "XDG_CONFIG_HOME=$PWD/config");
    expectEnded(o);
    EXPECT_EQ(scene("window-000.toml").grid.cells, glm::uvec3(16));
    EXPECT_THAT(CheckpointFile(folder.path() / "window-000.checkpoint").head().scene, HasSubstr("cells = [8, 8, 8]"));
}

// A plate that is thinner than 1.6 cells, and an emitter inside an obstacle.
constexpr const char* kWarned = R"(
[[obstacle]]
shape = "box"
centre = [0.5, 0.85, 0.5]
half = [0.3, 0.01, 0.3]
rotation = [0.0, 0.0, 30.0]
[[emitter]]
centre = [0.5, 0.6, 0.5]
radius = 0.05
density = 1.0
)";

// The window and `wisp check` give the same warnings, also at another quality. They stay in the panel beside later messages (PanelsTest
// reads their letters).
TEST_F(WindowCommands, WarningsAreThoseOfCheckAndStay) {
    placePanel();
    write("warned.toml", kWindowScene + std::string(kWarned));
    const auto warnings = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);)
            if (line.starts_with("warning: ")) lines.push_back(line);
        return lines;
    };
    std::vector<std::string> expected = warnings(runShell(WISP_BINARY " check warned.toml", folder.path()).output);
    ASSERT_EQ(expected.size(), 2u);
    const std::vector<std::string> coarse = warnings(runShell(WISP_BINARY " check warned.toml --quality draft", folder.path()).output);
    ASSERT_EQ(coarse.size(), 1u);  // a cell of this size sees the emitter
    expected.push_back(coarse[0]);
    const Outcome o = wish(
        "amber() { import -window $ID seen.png; convert seen.png txt:- | awk -F\"[(),]\" \"\\$3 > 100 && \\$3 > 2 * \\$5\" | wc -l; }\n"
        "said \"t = \" 1; later; PLAIN=$(amber); drop warned.toml; said \"inside an obstacle\" 1; xdotool key ctrl+s; "
        "until_true \"[ -e window-000.toml ]\"; later; WARNED=$(amber); echo $PLAIN and $WARNED pixels\n"
        "[ $WARNED -gt $(($PLAIN + 300)) ] || echo no warning in the panel\n" +
            kQuality +
            "; later; xdotool click 1; later; xdotool mousemove --window $ID 200 168; later; xdotool click 1\n"
            "said \"the body is\" 2; xdotool key ctrl+q",
        "XDG_CONFIG_HOME=$PWD/config");
    expectEnded(o);
    EXPECT_EQ(warnings(o.errors), expected);
    // The colour has more than twice as much red as blue, also where it covers a fifth of a pixel. 300 letters have more than one such
    // pixel.
    EXPECT_THAT(o.output, testing::Not(HasSubstr("no warning in the panel")));
}

TEST_F(WindowCommands, EscapeClosesAListBeforeItLeavesFullScreen) {
    placePanel();
    const Outcome o = wish(
        "place() { eval $(xdotool getwindowgeometry --shell $ID); echo place $WIDTH $HEIGHT; }\n"
        "xdotool key F11; until_true \"xdotool getwindowgeometry $ID | grep -q 900x700\"; later; " +
            kQuality +
            "; later; xdotool click 1; later\n"
            "xdotool key Escape; later; place; xdotool key Escape; until_true \"xdotool getwindowgeometry $ID | grep -q 800x600\"; place; "
            "xdotool key ctrl+q",
        "XDG_CONFIG_HOME=$PWD/config");
    expectEnded(o);
    EXPECT_THAT(o.output, AllOf(HasSubstr("place 900 700"), HasSubstr("place 800 600")));
}

TEST_F(WindowCommands, EscapeLeavesFullScreenAndLetsGo) {
    const Outcome o = wish(
        "place() { eval $(xdotool getwindowgeometry --shell $ID); echo place $WIDTH $HEIGHT; }\n"
        "xdotool windowsize --sync $ID 500 400; xdotool key F11; until_true \"xdotool getwindowgeometry $ID | grep -q 900x700\"; place\n"
        "xdotool key Escape; until_true \"xdotool getwindowgeometry $ID | grep -q 500x400\"; place\n"
        "xdotool key Tab; later; xdotool mousemove --window $ID 250 175; later; xdotool mousedown 1; said \"interaction started\" 1; "
        "xdotool key Escape; said \"interaction ended\" 1\n"
        "xdotool mouseup 1; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_THAT(o.output, AllOf(HasSubstr("place 900 700"), HasSubstr("place 500 400")));
}

// A run with NaN cannot be saved. It can be restarted from t = 0.
TEST_F(WindowCommands, NumbersThatAreNoLongerFiniteStopTheRun) {
    write("whole.toml", kWindowScene);
    ASSERT_EQ(runShell(WISP_BINARY " render whole.toml --frames 1 --size 16x16 --out a.png --checkpoint x --log-level quiet", folder.path())
                  .status,
              0);
    CheckpointFile whole(folder.path() / "x");
    std::vector<std::vector<std::byte>> fields(whole.head().fields.size());
    whole.read([&](std::size_t field, std::uint64_t, std::span<const std::byte> bytes) {
        fields[field].insert(fields[field].end(), bytes.begin(), bytes.end());
    });
    for (std::size_t n = 0; n < fields.size(); ++n)
        if (whole.head().fields[n].name == "velocity")
            for (std::size_t i = 0; i + 1 < fields[n].size(); i += 2)
                fields[n][i] = std::byte{0x00}, fields[n][i + 1] = std::byte{0x7e};  // NaN as a half
    writeCheckpoint(folder.path() / "bad", whole.head(), [&](std::size_t field, std::uint64_t offset, std::span<std::byte> into) {
        std::copy_n(fields[field].begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    });
    const Outcome o = drive(
        "said \"is no longer finite: the simulation has stopped. Press R to reset it.\" 1\n"
        "xdotool key ctrl+shift+s; said \"No checkpoint was saved\" 1; [ -e window-000.checkpoint ] && echo it was kept\n"
        "N=$(grep -c leaked $LOG); xdotool key r; sleep 0.5; xdotool key space; said leaked $((N + 2)); xdotool key ctrl+shift+s; "
        "until_true \"[ -e window-000.checkpoint ]\"; xdotool key ctrl+q",
        "SCENE=\"--resume bad\";");
    expectEnded(o);
    EXPECT_THAT(o.output, testing::Not(HasSubstr("it was kept")));
    CheckpointFile kept(folder.path() / "window-000.checkpoint");
    EXPECT_NO_THROW(kept.read([](std::size_t, std::uint64_t, std::span<const std::byte>) {}));
}

}  // namespace
}  // namespace wisp::test
