// SPDX-License-Identifier: MIT
// Views of fields by the real binary.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <png.h>
#include <tinyexr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

namespace wisp::test {
namespace {

using testing::HasSubstr;

const std::string kSmall = "render jet --set grid.cells=[32,16,16] --frames 1 --steps-per-frame 4 --validate ";

class CliView : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    std::vector<png_byte> png(const std::string& name) {
        png_image image{};
        image.version = PNG_IMAGE_VERSION;
        EXPECT_NE(png_image_begin_read_from_file(&image, (scratch.path() / name).c_str()), 0);
        image.format = PNG_FORMAT_RGB;
        std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
        EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
        return pixels;
    }
    std::size_t coloursOf(const std::string& name) {
        const std::vector<png_byte> pixels = png(name);
        std::set<std::array<png_byte, 3>> colours;
        for (std::size_t i = 0; i < pixels.size(); i += 3) colours.insert({pixels[i], pixels[i + 1], pixels[i + 2]});
        return colours.size();
    }
    ScratchFolder scratch;
};

TEST_F(CliView, EveryFieldAsSliceAndVolume) {
    for (const char* field : {"density", "speed", "vorticity", "pressure", "divergence"}) {
        const std::string name = field;
        const Outcome o = wisp(kSmall + "--size 320x220 --view " + name + " --slice z=0.4 --arrows 4 --out " + name + "_slice.png");
        ASSERT_EQ(o.status, 0) << o.errors;
        EXPECT_GT(coloursOf(name + "_slice.png"), 50u);
    }
    const Outcome volume = wisp(kSmall + "--size 64x36 --view pressure --out pressure.png");
    ASSERT_EQ(volume.status, 0) << volume.errors;
    EXPECT_GT(coloursOf("pressure.png"), 50u);
    const Outcome o = wisp("render plume --set grid.cells=[20,28,20] --frames 1 --validate --size 64x36 --view temperature --out t.png");
    EXPECT_EQ(o.status, 0) << o.errors;
}

TEST_F(CliView, TheLegendIsAllThatIsAddedToThePicture) {
    const std::string view = kSmall + "--size 640x360 --view speed ";
    ASSERT_EQ(wisp(view + "--out with.png").status, 0);
    ASSERT_EQ(wisp(view + "--set view.legend=false --out without.png").status, 0);
    const std::vector<png_byte> with = png("with.png"), without = png("without.png");
    std::size_t changed = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
        if (with[i] == without[i]) continue;
        EXPECT_GE(i / 3 % 640, 540u);
        ++changed;
    }
    EXPECT_GT(changed, 1000u);
}

TEST_F(CliView, ExrHasTheValueItself) {
    ASSERT_EQ(wisp(kSmall + "--size 64x36 --view density --slice z --out v.exr").status, 0);
    EXRVersion version;
    EXRHeader header;
    EXRImage image;
    InitEXRHeader(&header);
    InitEXRImage(&image);
    const char* error = nullptr;
    const std::string file = scratch.path() / "v.exr";
    ASSERT_EQ(ParseEXRVersionFromFile(&version, file.c_str()), TINYEXR_SUCCESS);
    ASSERT_EQ(ParseEXRHeaderFromFile(&header, &version, file.c_str(), &error), TINYEXR_SUCCESS);
    ASSERT_EQ(LoadEXRImageFromFile(&image, &header, file.c_str(), &error), TINYEXR_SUCCESS);
    ASSERT_EQ(header.num_channels, 5);
    EXPECT_STREQ(header.channels[4].name, "V");
    float largest = 0.0f;
    for (int i = 0; i < 64 * 36; ++i) {
        float v = 0.0f;
        std::memcpy(&v, image.images[4] + std::ptrdiff_t{4} * i, sizeof v);
        ASSERT_TRUE(std::isfinite(v));
        largest = std::max(largest, v);
    }
    EXPECT_NEAR(largest, 1.0f, 0.01f);  // the value that the emitter sets
    FreeEXRImage(&image);
    FreeEXRHeader(&header);
}

TEST_F(CliView, WrongUsageSaysWhatIsAllowed) {
    const std::pair<std::string, std::string> cases[] = {
        {"--view sped",
         "--view sped: view.field: is \"sped\", must be one of: smoke, density, temperature, speed, vorticity, pressure, divergence, fuel, "
         "flame; did you mean \"speed\"?"},
        {"--view speed --slice w", "--slice w: view.slice: is \"w\", must be one of: none, x, y, z"},
        {"--view speed --slice z=9", "--slice z=9: view.position: is 9, must be from 0 to 1"},
        {"--view speed --slice z=far", "--slice z=far: view.position: is the string \"far\", must be a number"},
        {"--view speed --range 2:1", "--range 2:1: view.range: is [2, 1], must be two numbers"},
        {"--view speed --range 2", "--range 2: must be LOW:HIGH, such as 0:2.5"},
        {"--view speed --range a:b", "--range a:b: view.range: "},
        {"--view speed --arrows 4", "view.arrows: lie on a slice"},
        {"--view temperature", "which this scene does not have"},
        {"--slice z", "view.slice: needs view.field to be"},
    };
    for (const auto& [arguments, message] : cases) {
        const Outcome o = wisp("render jet --out x.png --frames 1 " + arguments);
        EXPECT_EQ(o.status, 2) << arguments;
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
    }
    EXPECT_THAT(scratch.files(), testing::IsEmpty());
    EXPECT_THAT(wisp("render --help").output,
                testing::AllOf(HasSubstr("--view"), HasSubstr("--slice"), HasSubstr("--range"), HasSubstr("--arrows")));
}

}  // namespace
}  // namespace wisp::test
