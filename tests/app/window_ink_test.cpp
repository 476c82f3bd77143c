// SPDX-License-Identifier: MIT
// A user draws ink in a window.
#include "tests/app/window_fixture.h"

#include <png.h>

#include <array>
#include <cmath>
#include <vector>

namespace wisp::test {
namespace {

/// The fluid is at rest, so ink stays where it was drawn.
constexpr const char* kTank = R"(
name = "window"
[grid]
cells = [64, 48, 1]
size = [1.3333334, 1.0, 0.0208333]
pressure_ratio = 1
[flow]
density_decay = 0.0
vorticity = 0.0
[brush]
radius = 0.03
force = 0.0
colour = [1.0, 0.1, 0.0]
[medium]
extinction = 3.0
[[light]]
intensity = 12.6
[environment]
colour = [0.0, 0.0, 0.0]
[render]
tonemap = "linear"
)";

class WindowInk : public WindowTest {
protected:
    struct Rgb {
        int r = 0, g = 0, b = 0;
    };
    /// Pixel of the picture with this number. Its position is from 0 to 1, to the right and down.
    Rgb at(std::size_t number, double x, double y) {
        Picture& p = pictures_.at(number);
        if (p.rgb.empty()) p = read(folder.path() / ("window-00" + std::to_string(number) + ".png"));
        const auto i = 3 *
                       (static_cast<std::size_t>(y * p.height) * static_cast<std::size_t>(p.width) + static_cast<std::size_t>(x * p.width));
        return i + 2 < p.rgb.size() ? Rgb{p.rgb[i], p.rgb[i + 1], p.rgb[i + 2]} : Rgb{-1, -1, -1};
    }

private:
    struct Picture {
        int width = 0, height = 0;
        std::vector<png_byte> rgb;
    };
    static Picture read(const std::filesystem::path& path) {
        png_image png{};
        png.version = PNG_IMAGE_VERSION;
        if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return {};
        png.format = PNG_FORMAT_RGB;
        Picture p{static_cast<int>(png.width), static_cast<int>(png.height), std::vector<png_byte>(PNG_IMAGE_SIZE(png))};
        return png_image_finish_read(&png, nullptr, p.rgb.data(), 0, nullptr) == 0 ? Picture{} : p;
    }
    std::array<Picture, 3> pictures_;
};

const std::string kCanvasPlace =
    "xdotool windowsize --sync $ID 640 480; later; xdotool key Tab; later; eval $(xdotool getwindowgeometry --shell $ID)\n";
const std::string kTo = "to() { xdotool mousemove -- $((X + WIDTH * $1 / 100)) $((Y + HEIGHT * $2 / 100)); }\n";

TEST_F(WindowInk, AStrokeHasNoGaps) {
    // Three mouse positions that are far apart.
    const Outcome o = drive(
        kCanvasPlace + kTo +
            "to 20 30; sleep 0.3; xdotool mousedown 1; to 50 70; to 80 30; sleep 0.3; xdotool mouseup 1; later; shot 000\n"
            "xdotool key c; later; shot 001; xdotool key ctrl+q",
        "", kTank);
    expectEnded(o);
    for (int n = 0; n <= 40; ++n) {
        const double x = 0.2 + 0.6 * n / 40.0, y = 0.3 + 0.4 * (1.0 - std::abs(n / 20.0 - 1.0));
        const Rgb ink = at(0, x, y);
        EXPECT_GT(ink.r, 60) << x << " " << y;
        EXPECT_LT(ink.b, ink.r / 2) << "ink must have the colour of the brush";
        EXPECT_LT(at(1, x, y).r, 10) << "C must remove the ink";
    }
    EXPECT_LT(at(0, 0.5, 0.3).r, 10) << "no ink between the arms";
    EXPECT_LT(at(0, 0.1, 0.9).r, 10);
}

TEST_F(WindowInk, TheWheelMakesABroaderBrushAndKeysShowFields) {
    const Outcome o = drive(kCanvasPlace + kTo +
                                "to 20 30; sleep 0.3; xdotool mousedown 1; to 80 30; sleep 0.3; xdotool mouseup 1\n"
                                "to 20 70; for n in 1 2 3 4 5 6 7 8; do xdotool click 4; done; later; xdotool mousedown 1; to 80 70; sleep "
                                "0.3; xdotool mouseup 1; later; shot 000\n"
                                "xdotool key 4; later; shot 001; xdotool key 4; later; shot 002; xdotool key ctrl+q",
                            "", kTank);
    expectEnded(o);
    const auto width = [&](double y) {
        int lit = 0;
        for (int n = -80; n <= 80; ++n) lit += at(0, 0.5, y + n / 480.0).r > 60;
        return lit;
    };
    EXPECT_GT(width(0.3), 10);
    EXPECT_GT(width(0.7), 1.3 * width(0.3));
    EXPECT_GT(at(1, 0.1, 0.1).b, 100) << "where the divergence is 0 the colour map is pale";
    EXPECT_LT(at(2, 0.1, 0.1).b, 10) << "key 1 must show the ink again";
}

// Strokes that begin or end outside of the window, or cross obstacles.
TEST_F(WindowInk, StrokesMayLeaveTheWindow) {
    const Outcome o = drive(kCanvasPlace + kTo +
                                "to 50 50; sleep 0.3; xdotool mousedown 1; to 150 50; to -50 -50; to 50 50; xdotool mouseup 1; later; shot "
                                "000; xdotool key ctrl+q",
                            "", kTank);
    expectEnded(o);
    EXPECT_GT(at(0, 0.8, 0.5).r, 60);
}

}  // namespace
}  // namespace wisp::test
