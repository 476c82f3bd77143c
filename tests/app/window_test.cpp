// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#include "tests/app/run_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

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

// Smoke that rests, left and low, and a sphere in the light, right and high.
constexpr const char* kStill = R"(
name = "window"
[grid]
cells = [32, 32, 32]
size = [1.0, 1.0, 1.0]
[flow]
vorticity = 0
density_decay = 0
weight = 0
[[initial]]
shape = "box"
min = [0.05, 0.05, 0.3]
max = [0.35, 0.45, 0.7]
density = 1.0
[[obstacle]]
centre = [0.6, 0.65, 0.5]
radius = 0.1
[[light]]
direction = [0.0, 0.0, -1.0]
intensity = 5.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
fov = 40
)";

struct Image {
    int width = 0, height = 0;
    std::vector<png_byte> grey;
    [[nodiscard]] int at(int x, int y) const { return grey[static_cast<std::size_t>(y * width + x)]; }
};

Image readImage(const std::filesystem::path& path) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << path;
    png.format = PNG_FORMAT_GRAY;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), std::vector<png_byte>(PNG_IMAGE_SIZE(png))};
    EXPECT_NE(png_image_finish_read(&png, nullptr, image.grey.data(), 0, nullptr), 0) << path;
    return image;
}

int changedPixels(const Image& a, const Image& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.grey.size(); ++i) count += std::abs(a.grey[i] - b.grey[i]) > 2;
    return count;
}

class WindowTest : public testing::Test {
protected:
    /// Runs `wisp run` on a scene in a display of its own, and `script` beside it, in which $WISP is its process, $ID its window, `said
    /// TEXT N` waits until log.txt has N lines with that text, `shot N` takes picture N and waits for it.
    Outcome drive(const std::string& script, const char* scene = kScene) {
        const std::string command = "cat > scene.toml <<'END'\n" + std::string(scene) +
                                    "END\n"
                                    "bash -c '\n"
                                    "Xvfb -noreset -displayfd 3 -screen 0 900x700x24 3>display 2>/dev/null & SERVER=$!\n"  // takes a number that is free
                                    "for i in $(seq 300); do [ -s display ] && break; sleep 0.1; done\n"
                                    "export DISPLAY=:$(cat display); rm display\n"
                                    "openbox & MANAGER=$!\n"
                                    // A window that comes before the manager is ready may never be shown.
                                    "for i in $(seq 300); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.1; done\n" WISP_BINARY
                                    " run scene.toml --validate --log-level debug 2>log.txt & WISP=$!\n"
                                    "until_true() { for i in $(seq 600); do eval \"$1\" && return; kill -0 $WISP || break; sleep 0.1; done; echo \"waited in vain: $1\"; }\n"
                                    "said() { until_true \"[ \\$(grep -c \\\"$1\\\" log.txt) -ge $2 ]\"; }\n"
                                    "shot() { xdotool key F12; until_true \"[ -e window-$1.png ]\"; }\n"
                                    "for i in $(seq 900); do ID=$(xdotool search --onlyvisible --class wisp 2>/dev/null | tail -1); [ -n \"$ID\" ] && break; sleep 0.1; done\n"
                                    "xdotool windowactivate --sync $ID; sleep 2\n" +
                                    script +
                                    "\nfor i in $(seq 100); do kill -0 $WISP 2>/dev/null || break; sleep 0.1; done\n"
                                    "kill -9 $WISP 2>/dev/null && echo it did not end\n"
                                    "wait $WISP; STATUS=$?; kill $MANAGER $SERVER; exit $STATUS'";
        return runShell(command, folder.path());
    }
    /// By itself, without an error or a message of the validation layers.
    void expectEnded(const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.output << o.errors << readFile(folder.path() / "log.txt");
        EXPECT_EQ(o.output.find("in vain"), std::string::npos) << o.output << readFile(folder.path() / "log.txt");
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
    const Outcome o = drive("xdotool key F1 F3; shot 000; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"log.txt", "scene.toml", "window-000.png"}));
    EXPECT_EQ(readFile(folder.path() / "window-000.png").substr(1, 3), "PNG");
}

TEST_F(WindowTest, ClosesByTheWindowManagerAfterManySizes) {
    const Outcome o = drive(
        "for n in $(seq 200); do xdotool windowsize $ID $((300 + 37 * n % 400)) $((240 + 53 * n % 300)); sleep 0.0$((n % 5)); done\n"
        "N=$(grep -c leaked log.txt); said leaked $((N + 1))\n"
        "xdotool key F11; sleep 1; xdotool key F11; sleep 1\n"
        "xdotool windowminimize $ID; sleep 1; xdotool windowmap $ID; shot 000\n"
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

// What nobody touches stays as it is, to the bit; a drag moves the sphere to where the mouse let it go, and no smoke gets into it; the
// brush leaves smoke; a turn of the camera changes everything.
TEST_F(WindowTest, PicturesShowWhatTheMouseDid) {
    // 412 pixels of the window a metre, 2 m away: 600 / (2 * 2 * tan 20 degrees).
    const Outcome o = drive(
        "xdotool windowsize --sync $ID 800 600; xdotool key Tab; sleep 2; said leaked 2\n"
        "shot 000; sleep 1; shot 001\n"
        "mouse() { xdotool mousemove --window $ID $1 $2; }\n"
        "mouse 441 238; sleep 0.5; xdotool mousedown 1; for n in $(seq 10); do mouse $((441 + 82 * n / 10)) $((238 + 103 * n / 10)); done; xdotool mouseup 1\n"
        "said \"hand is free\" 1; shot 002\n"
        "mouse 310 190; sleep 0.5; xdotool mousedown 3; for n in $(seq 10); do mouse $((310 + 10 * n)) 190; done; xdotool mouseup 3\n"
        "said \"hand is free\" 2; shot 003\n"
        "mouse 700 520; xdotool mousedown 1; mouse 600 500; xdotool mouseup 1; sleep 1; shot 004\n"
        "N=$(grep -c leaked log.txt); said leaked $((N + 2)); xdotool key ctrl+q",
        kStill);
    expectEnded(o);
    std::vector<Image> shots;
    for (int n = 0; n < 5; ++n) {
        shots.push_back(readImage(folder.path() / fmt::format("window-{:03}.png", n)));
        ASSERT_EQ(shots.back().grey.size(), shots.front().grey.size());
    }
    const Image& still = shots[1];
    const double scale = still.height / 600.0;
    EXPECT_EQ(shots[0].grey, still.grey);

    double x = 0.0, y = 0.0, sum = 0.0;  // centre of what has become much brighter
    for (int j = 0; j < still.height; ++j)
        for (int i = 0; i < still.width; ++i)
            if (shots[2].at(i, j) > still.at(i, j) + 40) {
                x += i + 0.5;
                y += j + 0.5;
                sum += 1.0;
            }
    ASSERT_GT(sum, 100.0);
    // It was taken at its front, 1.9 m from the eye, and so its centre moves 0.95 as far as the mouse.
    EXPECT_NEAR(x / sum, (441 + 0.95 * 82) * scale, 2.0);
    EXPECT_NEAR(y / sum, (238 + 0.95 * 103) * scale, 2.0);
    EXPECT_LT(shots[2].at(static_cast<int>(441 * scale), static_cast<int>(238 * scale)), still.at(static_cast<int>(441 * scale), static_cast<int>(238 * scale)) - 40) << "it is gone from where it was";

    int brighter = 0;  // around the stroke, and a little further, for the brush has pushed the smoke along
    for (int j = static_cast<int>(140 * scale); j < static_cast<int>(240 * scale); ++j)
        for (int i = static_cast<int>(280 * scale); i < static_cast<int>(520 * scale); ++i) brighter += shots[3].at(i, j) > shots[2].at(i, j) + 5;
    EXPECT_GT(brighter, 60) << "a disc of the brush's radius, 25 pixels of the window, has 240";
    EXPECT_GT(changedPixels(shots[3], shots[4]), still.width * still.height / 20);

    std::istringstream log(readFile(folder.path() / "log.txt"));
    int measures = 0;
    for (std::string line; std::getline(log, line);) {
        const std::size_t at = line.find("leaked ");
        if (at == std::string::npos) continue;
        ++measures;
        EXPECT_EQ(std::stod(line.substr(at + 7)), 0.0) << line;
    }
    EXPECT_GE(measures, 4);
}

}  // namespace
}  // namespace wisp::test
