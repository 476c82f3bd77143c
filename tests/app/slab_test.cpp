// SPDX-License-Identifier: MIT
// A picture of uniform smoke in uniform light, written by the binary: every pixel is known.
#include "tests/app/run_program.h"
#include "tests/support/verification.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace wisp::test {
namespace {

class PngOfASlab : public testing::Test {
protected:
    // A cube of 1 m with density 1 in an environment of radiance 1, seen along -z by rays that are parallel within half a degree.
    static std::string scene(int steps, double extinction) {
        return fmt::format(R"([grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
precision = "float"
[[initial]]
shape = "box"
centre = [0.5, 0.5, 0.5]
half = [1.0, 1.0, 1.0]
density = 1.0
[flow]
density_decay = 0.0
[medium]
extinction = {}
albedo = [0.0, 0.0, 0.0]
[environment]
colour = [1.0, 1.0, 1.0]
[camera]
eye = [0.5, 0.5, 3.0]
target = [0.5, 0.5, 0.0]
fov = 1.0
[render]
size = [16, 16]
step = {}
tonemap = "linear"
)",
                           extinction, 1.0 / steps);
    }
    ScratchFolder scratch;
};

TEST_F(PngOfASlab, IsRightToAStepOfEightBits) {
    double worst = 0.0;
    for (const double extinction : {0.5, 2.0}) {
        for (const int steps : {16, 64, 512}) {
            std::ofstream(scratch.path() / "slab.toml") << scene(steps, extinction);
            const Outcome o = runShell(WISP_BINARY " render slab.toml --frames 1 --out slab.png --overwrite", scratch.path());
            ASSERT_EQ(o.status, 0) << o.errors;
            png_image image{};
            image.version = PNG_IMAGE_VERSION;
            ASSERT_NE(png_image_begin_read_from_file(&image, (scratch.path() / "slab.png").c_str()), 0);
            image.format = PNG_FORMAT_RGB;
            std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
            ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
            const double srgb = 255.0 * (1.055 * std::pow(std::exp(-extinction), 1.0 / 2.4) - 0.055);
            for (const png_byte p : pixels) worst = std::max(worst, std::abs(p - srgb));
        }
    }
    expectAtMost(Row::Slab, "a PNG, tau .5 and 2, 16 to 512 steps, largest error in steps of 255", worst, 1.0);
}

}  // namespace
}  // namespace wisp::test
