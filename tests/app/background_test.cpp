// SPDX-License-Identifier: MIT
// wisp render --background: what is behind smoke and bodies instead of the environment.
#include "files/base/image.h"
#include "tests/app/run_program.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <png.h>

#include <array>
#include <fstream>

namespace wisp::test {
namespace {

using testing::HasSubstr;

constexpr const char* kCoveredScene = R"(
    [grid]
    cells = [16, 16, 16]
    size = [1.0, 1.0, 1.0]
    [[emitter]]
    centre = [0.5, 0.4, 0.5]
    radius = 0.2
    density = 1.0
    [[obstacle]]
    centre = [0.5, 0.75, 0.5]
    radius = 0.1
    [environment]
    colour = [1.0, 1.0, 1.0]
    [camera]
    eye = [0.5, 0.5, 3.0]
    target = [0.5, 0.5, 0.5]
    [render]
    size = [24, 20]
)";

class BackgroundTest : public testing::Test {
protected:
    BackgroundTest() { std::ofstream(scratch.path() / "s.toml") << kCoveredScene; }
    Outcome render(const std::string& arguments) {
        return runShell(
            WISP_BINARY " render s.toml --frames 1-1 --steps-per-frame 3 --quality standard --overwrite --log-level quiet " + arguments,
            scratch.path());
    }
    struct Picture {
        bool hasAlpha = false;
        std::vector<std::array<int, 4>> pixels;
    };
    Picture picture(const std::string& arguments) {
        const Outcome o = render("--out x%04d.png " + arguments);
        EXPECT_EQ(o.status, 0) << o.errors;
        png_image png{};
        png.version = PNG_IMAGE_VERSION;
        EXPECT_NE(png_image_begin_read_from_file(&png, (scratch.path() / "x0001.png").c_str()), 0);
        Picture picture{(png.format & PNG_FORMAT_FLAG_ALPHA) != 0, {}};
        png.format = PNG_FORMAT_RGBA;
        std::vector<png_byte> bytes(PNG_IMAGE_SIZE(png));
        EXPECT_NE(png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr), 0);
        for (std::size_t i = 0; i < bytes.size(); i += 4) picture.pixels.push_back({bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]});
        return picture;
    }
    ScratchFolder scratch;
};

TEST_F(BackgroundTest, IsSeenWhereNothingElseIs) {
    const Picture scene = picture(""), clear = picture("--background transparent"), black = picture("--background '#000000'"),
                  orange = picture("--background '#ff8000'");
    EXPECT_FALSE(scene.hasAlpha);
    EXPECT_TRUE(clear.hasAlpha);
    EXPECT_FALSE(black.hasAlpha);
    std::vector<std::byte> noise(std::size_t{24} * 20 * 4);
    for (std::size_t n = 0; n < noise.size(); ++n) noise[n] = static_cast<std::byte>(n % 4 == 3 ? 255 : n * 37 % 251);
    std::ofstream(scratch.path() / "back.png", std::ios::binary) << encode(ImageKind::Png, {24, 20}, noise);
    const Picture over = picture("--background back.png");
    int none = 0, body = 0;
    for (std::size_t n = 0; n < clear.pixels.size(); ++n) {
        const auto& [r, g, b, alpha] = clear.pixels[n];
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(clear.pixels[n][c] * alpha / 255.0, black.pixels[n][c], 1.0) << "bytes of colour and alpha, each rounded";
        if (alpha == 0) {
            ++none;
            EXPECT_EQ(orange.pixels[n], (std::array{255, 128, 0, 255}));
            for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(over.pixels[n][c], std::to_integer<int>(noise[4 * n + c]));
        }
        if (alpha == 255) {
            ++body;
            EXPECT_EQ(orange.pixels[n], scene.pixels[n]);
        }
    }
    EXPECT_GT(none, 50);
    EXPECT_GT(body, 0);
}

TEST_F(BackgroundTest, ErrorsSayWhatIsAllowed) {
    const auto refusal = [&](const std::string& arguments) {
        const Outcome o = render(arguments);
        EXPECT_EQ(o.status, 2) << arguments;
        return o.errors;
    };
    EXPECT_THAT(refusal("--out x.mp4 --background transparent"), HasSubstr("a .mp4 file has no alpha; use .png or .exr, or a colour"));
    EXPECT_THAT(refusal("--out x%04d.pfm --background transparent"), HasSubstr("a .pfm file has no alpha"));
    EXPECT_THAT(refusal("--out x%04d.exr --background '#000000'"), HasSubstr("a .exr file has linear radiance"));
    EXPECT_THAT(refusal("--out x%04d.png --background '#00000'"), HasSubstr("must be \"transparent\", a colour such as \"#ff8000\""));
    std::ofstream(scratch.path() / "small.png", std::ios::binary) << encode(ImageKind::Png, {1, 1}, std::vector<std::byte>(4));
    EXPECT_THAT(refusal("--out x%04d.png --background small.png"), HasSubstr("has 1x1 pixels, the pictures have 24x20"));
    EXPECT_THAT(refusal("--out x%04d.png --background transparent --set view.field=speed"), HasSubstr("view.field"));
}

}  // namespace
}  // namespace wisp::test
