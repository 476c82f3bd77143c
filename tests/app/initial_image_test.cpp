// SPDX-License-Identifier: MIT
// A flat scene that starts from an image looks like the image.
#include "tests/app/run_program.h"
#include "tests/support/pictures.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>

namespace wisp::test {
namespace {

using testing::HasSubstr;

constexpr glm::uvec2 kSize{32, 24};

/// Top right grey, bottom right transparent, left red and blue.
std::vector<png_byte> pixels() {
    std::vector<png_byte> rgba;
    for (unsigned y = 0; y < kSize.y; ++y)
        for (unsigned x = 0; x < kSize.x; ++x) {
            const bool top = y < kSize.y / 2, left = x < kSize.x / 2;
            const std::vector<png_byte> pixel = left ? (top ? std::vector<png_byte>{255, 0, 0, 255} : std::vector<png_byte>{0, 0, 255, 255})
                                                     : (top ? std::vector<png_byte>{188, 188, 188, 255}
                                                            : std::vector<png_byte>{255, 255, 255, 0});
            rgba.insert(rgba.end(), pixel.begin(), pixel.end());
        }
    return rgba;
}

class InitialImageInAScene : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(scratch.path() / "a.png", std::ios::binary) << pngOf(kSize, PNG_FORMAT_RGBA, pixels());
        std::ofstream(scratch.path() / "ink.toml") << R"([grid]
cells = [64, 48, 1]
size = [1.3333334, 1.0, 0.0]
[[initial]]
field = "image"
file = "a.png"
density = 1.0
[flow]
density_decay = 0.0
[medium]
extinction = 2.0
albedo = [1.0, 1.0, 1.0]
[[light]]
intensity = 12.566371
[environment]
colour = [0.0, 0.0, 0.0]
[render]
size = [64, 48]
tonemap = "linear"
)";
    }
    Outcome wisp(const std::string& arguments) const { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    double planned(const std::string& sets) const {
        const Outcome o = wisp("render ink.toml --dry-run " + sets);
        EXPECT_EQ(o.status, 0) << o.errors;
        return std::stod(o.output.substr(o.output.find("total") + 5));
    }
    ScratchFolder scratch;
};

TEST_F(InitialImageInAScene, LooksLikeIt) {
    const Outcome o = wisp("render ink.toml --frames 1 --out out.png");
    ASSERT_EQ(o.status, 0) << o.errors;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, (scratch.path() / "out.png").c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<png_byte> seen(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, seen.data(), 0, nullptr), 0);
    // At the centre of each quarter: the opacity of the dye, in a light that makes thick dye as bright as its colour.
    const auto expectColour = [&](unsigned x, unsigned y, const std::array<double, 3>& colour, double density) {
        for (std::size_t n = 0; n < 3; ++n) {
            const double light = colour[n] * (1.0 - std::exp(-2.0 * density));
            const double srgb = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055;
            EXPECT_NEAR(seen[3 * (y * 64 + x) + n], 255.0 * srgb, 1.5)
                << x << " " << y << " " << n;  // an 8-bit step with its dither, and rounding of halves
        }
    };
    expectColour(16, 12, {1, 0, 0}, 1.0);
    expectColour(48, 12, {1, 1, 1}, 0.502887);
    expectColour(16, 36, {0, 0, 1}, 1.0);
    expectColour(48, 36, {0, 0, 0}, 0.0);
}

TEST_F(InitialImageInAScene, IsInTheMemoryPlan) {
    std::ofstream(scratch.path() / "large.png", std::ios::binary) << pngOf({400, 300}, PNG_FORMAT_RGBA, std::vector<png_byte>(480000, 7));
    std::ofstream(scratch.path() / "coloured.png", std::ios::binary) << pngOf({1, 1}, PNG_FORMAT_RGBA, {255, 0, 0, 255});
    // Except for one texel both images are grey, so the colours take the additional memory. The driver may pad images.
    EXPECT_NEAR(planned("--set 'initial[0].file=\"large.png\"' --set 'initial[0].colour=[1,0,0]'") -
                    planned("--set 'initial[0].file=\"coloured.png\"'"),
                8.0 * 400 * 300, 65536.0);
}

TEST_F(InitialImageInAScene, ResumesFromACheckpoint) {
    ASSERT_EQ(wisp("render ink.toml --frames 1 --out a --checkpoint x").status, 0);
    const Outcome own = wisp("render --frames 3 --out b --resume x --hash"),
                  given = wisp("render ink.toml --frames 3 --out c --resume x --hash"),
                  straight = wisp("render ink.toml --frames 3 --out d --hash");
    EXPECT_EQ(own.status, 0) << own.errors;
    EXPECT_EQ(given.status, 0) << given.errors;
    EXPECT_EQ(own.output, straight.output);
    EXPECT_EQ(given.output, straight.output);
    std::ofstream(scratch.path() / "a.png", std::ios::binary) << pngOf({1, 1}, PNG_FORMAT_GRAY, {1});
    EXPECT_EQ(wisp("render ink.toml --frames 3 --out e --resume x").status, 0)
        << "both scenes read the new image, but the fields come from the checkpoint";
    std::filesystem::remove(scratch.path() / "a.png");
    const Outcome gone = wisp("render ink.toml --frames 1 --out f");
    EXPECT_EQ(gone.status, 2);
    EXPECT_THAT(gone.errors, HasSubstr("ink.toml:6:8: initial[0].file: a.png: does not exist"));
}

}  // namespace
}  // namespace wisp::test
