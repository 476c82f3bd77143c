// SPDX-License-Identifier: MIT
// Pictures in the window before and after actions of the mouse.
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>
#include <png.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace wisp::test {
namespace {

// Smoke at rest at the lower left, and a lit sphere at the upper right.
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
    [[nodiscard]] int at(int x, int y) const {
        return grey[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
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

class WindowPictures : public WindowTest {};

// Without input the picture stays bit-identical. A drag moves the sphere to the position where the mouse releases it, and no smoke gets
// inside. The brush leaves smoke. Turning the camera changes the whole picture.
TEST_F(WindowPictures, ShowTheActionsOfTheMouse) {
    // At a distance of 2 m a metre has 412 pixels of the window: 600 / (2 * 2 * tan 20 degrees).
    const Outcome o = drive(
        "xdotool windowsize --sync $ID 800 600; xdotool key Tab; sleep 2; said leaked 2\n"
        "shot 000; sleep 1; shot 001\n"
        "mouse() { xdotool mousemove --window $ID $1 $2; }\n"
        "mouse 441 238; sleep 0.5; xdotool mousedown 1; for n in $(seq 10); do mouse $((441 + 82 * n / 10)) $((238 + 103 * n / 10)); done; "
        "xdotool mouseup 1\n"
        "said \"interaction ended\" 1; shot 002\n"
        "mouse 310 190; sleep 0.5; xdotool mousedown 3; for n in $(seq 10); do mouse $((310 + 10 * n)) 190; done; xdotool mouseup 3\n"
        "said \"interaction ended\" 2; shot 003\n"
        "mouse 700 520; xdotool mousedown 1; mouse 600 500; xdotool mouseup 1; sleep 1; shot 004\n"
        "N=$(grep -c leaked $LOG); said leaked $((N + 2)); xdotool key ctrl+q",
        "", kStill);
    expectEnded(o);
    std::vector<Image> shots;
    for (int n = 0; n < 5; ++n) {
        shots.push_back(readImage(folder.path() / fmt::format("window-{:03}.png", n)));
        ASSERT_EQ(shots.back().grey.size(), shots.front().grey.size());
    }
    const Image& still = shots[1];
    const double scale = still.height / 600.0;
    EXPECT_EQ(shots[0].grey, still.grey);

    // Centre of the pixels that have become much brighter. Only in the right half: the sphere pushes the smoke in the left half, and how
    // much of it becomes brighter depends on the speed of the device.
    double x = 0.0, y = 0.0, sum = 0.0;
    for (int j = 0; j < still.height; ++j)
        for (int i = still.width / 2; i < still.width; ++i)
            if (shots[2].at(i, j) > still.at(i, j) + 40) {
                x += i + 0.5;
                y += j + 0.5;
                sum += 1.0;
            }
    ASSERT_GT(sum, 100.0);
    // The mouse picked the front of the sphere, 1.9 m from the eye. So the centre moves 0.95 times as far as the mouse.
    EXPECT_NEAR(x / sum, (441 + 0.95 * 82) * scale, 2.0);
    EXPECT_NEAR(y / sum, (238 + 0.95 * 103) * scale, 2.0);
    EXPECT_LT(shots[2].at(static_cast<int>(441 * scale), static_cast<int>(238 * scale)),
              still.at(static_cast<int>(441 * scale), static_cast<int>(238 * scale)) - 40)
        << "the sphere must have left its old position";

    // In and around the stroke, because the brush has pushed the smoke along.
    int brighter = 0;
    for (int j = static_cast<int>(140 * scale); j < static_cast<int>(240 * scale); ++j)
        for (int i = static_cast<int>(280 * scale); i < static_cast<int>(520 * scale); ++i)
            brighter += shots[3].at(i, j) > shots[2].at(i, j) + 5;
    EXPECT_GT(brighter, 60) << "a disc of the radius of the brush, 25 pixels of the window, has 240 pixels of the picture";
    EXPECT_GT(changedPixels(shots[3], shots[4]), still.width * still.height / 20);

    std::istringstream log(o.errors);
    int measures = 0;
    for (std::string line; std::getline(log, line);) {
        const std::size_t at = line.find("leaked ");
        if (at == std::string::npos) continue;
        ++measures;
        EXPECT_EQ(std::stod(line.substr(at + 7)), 0.0) << line;
    }
    EXPECT_GE(measures, 4);
}

// The panel takes 300 of 800 pixels in width. The picture then fills the remaining 500 pixels and is centred in them.
TEST_F(WindowPictures, LieInThePartOfTheWindowThatThePanelLeavesFree) {
    std::filesystem::create_directories(folder.path() / "config/wisp");
    std::ofstream(folder.path() / "config/wisp/window.toml")
        << "[window]\nsize = [800, 600]\n[panels]\nlayout = \"[Window][wisp]\\nPos=500,0\\nSize=300,600\\n\"\n";
    const Outcome o = drive(
        "mouse() { xdotool mousemove --window $ID $1 $2; }\n"
        "said leaked 1; mouse 276 261; sleep 0.5; xdotool mousedown 1; for n in $(seq 10); do mouse $((276 + 52 * n / 10)) $((261 + 64 * n "
        "/ 10)); done; xdotool mouseup 1\n"
        "said \"interaction ended\" 1; xdotool key ctrl+s; until_true \"[ -e window-000.toml ]\"; shot 000; import -window $ID seen.png; "
        "xdotool key ctrl+q",
        "XDG_CONFIG_HOME=$PWD/config", kStill);
    expectEnded(o);
    const double scale = 600.0 / (2.0 * 2.0 * std::tan(20.0 * 3.14159265 / 180.0)) * 500.0 / 800.0;  // [pixels of the window per metre]
    const Settings saved = loadScene(folder.path() / "window-000.toml");
    ASSERT_EQ(saved.obstacles.size(), 1u);
    const glm::vec3 centre = saved.obstacles[0].shape.centre;
    // The mouse picks the front of the sphere, 1.9 m from the eye. Mouse positions are whole pixels, so the picked position is wrong by up
    // to one pixel.
    EXPECT_NEAR(static_cast<double>(centre.x), 0.6 + 0.95 * 52 / scale, 2.0 / scale);
    EXPECT_NEAR(static_cast<double>(centre.y), 0.65 - 0.95 * 64 / scale, 2.0 / scale);
    EXPECT_FLOAT_EQ(saved.camera.fov, glm::radians(40.0f)) << "only the window may be narrower";
    const Image shot = readImage(folder.path() / "window-000.png");
    EXPECT_EQ(shot.width * 3, shot.height * 4) << "a screenshot must have the pixels of the whole window";
    const Image seen = readImage(folder.path() / "seen.png");  // includes the panels
    ASSERT_EQ(seen.width, 800);
    double x = 0.0, y = 0.0, sum = 0.0;  // centre of the bright pixels in the free part
    for (int j = 0; j < 540; ++j)
        for (int i = 0; i < 500; ++i)
            if (i > 280 && seen.at(i, j) > 150) {
                x += i + 0.5;
                y += j + 0.5;
                sum += 1.0;
            }
    ASSERT_GT(sum, 300.0);
    EXPECT_NEAR(x / sum, 250.0 + scale * (static_cast<double>(centre.x) - 0.5), 4.0);
    EXPECT_NEAR(y / sum, 300.0 - scale * (static_cast<double>(centre.y) - 0.5), 4.0);
}

}  // namespace
}  // namespace wisp::test
