// SPDX-License-Identifier: MIT
// `render.bricks`: the edges of active bricks in images of the real binary.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace wisp::test {
namespace {

using testing::HasSubstr;

const std::string kScene = "render plume --set grid.cells=[80,112,80] --set grid.scalar_ratio=1 --frames 2 --steps-per-frame 2 --validate ";

class CliBricks : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    /// The last image of a run with these arguments.
    std::vector<png_byte> image(const std::string& arguments) {
        const Outcome o = wisp(kScene + "--size 160x240 --overwrite --out images " + arguments);
        EXPECT_EQ(o.status, 0) << o.errors;
        png_image image{};
        image.version = PNG_IMAGE_VERSION;
        EXPECT_NE(png_image_begin_read_from_file(&image, (scratch.path() / "images/0001.png").c_str()), 0);
        image.format = PNG_FORMAT_RGB;
        std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
        EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0);
        return bytes;
    }
    ScratchFolder scratch;
};

// Lines are yellow, and thin: most pixels keep their bits.
TEST_F(CliBricks, OnlyLinesAreAddedToThePicture) {
    for (const std::string view : {"", "--view density "}) {
        const std::vector<png_byte> with = image(view + "--set render.bricks=true"), without = image(view);
        ASSERT_EQ(with.size(), without.size());
        std::size_t changed = 0, yellower = 0, dithered = 0;
        for (std::size_t i = 0; i < with.size(); i += 3) {
            const auto change = [&](std::size_t channel) { return int{with[i + channel]} - int{without[i + channel]}; };
            // The tone map of a field with lines dithers its bytes.
            dithered += std::max({std::abs(change(0)), std::abs(change(1)), std::abs(change(2))}) == 1;
            if (std::max({std::abs(change(0)), std::abs(change(1)), std::abs(change(2))}) <= 1) continue;
            ++changed;
            yellower += change(0) > change(2);
        }
        EXPECT_GT(changed, 500u) << view;
        EXPECT_LT(changed, with.size() / 3 / 4) << view;
        EXPECT_EQ(yellower, changed) << view;
        if (view.empty()) {
            EXPECT_LT(dithered, changed) << "pixels beside lines have changed";
        }
    }
}

TEST_F(CliBricks, NeedASparseSimulation) {
    const Outcome o = wisp(kScene + "--set grid.sparse=false --set render.bricks=true --out image.png");
    EXPECT_EQ(o.status, 2);
    EXPECT_THAT(o.errors, HasSubstr("render.bricks: is true, but only a sparse simulation has bricks"));
}

}  // namespace
}  // namespace wisp::test
