// SPDX-License-Identifier: MIT
// Thumbnails and contact sheets of wedges.
#include "app/wedge/sheet.h"

#include "files/base/failure.h"
#include "files/base/image.h"
#include "files/base/pending_file.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <array>

namespace wisp::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SmallImage filled(glm::uvec2 size, std::array<int, 3> colour) {
    SmallImage image{size, {}};
    for (std::size_t n = 0; n < std::size_t{size.x} * size.y; ++n) {
        for (const int c : colour) image.pixels.push_back(static_cast<std::byte>(c));
        image.pixels.push_back(std::byte{255});
    }
    return image;
}

std::array<int, 3> pixel(const SmallImage& image, glm::ivec2 at) {
    std::array<int, 3> colour{};
    for (std::size_t c = 0; c < 3; ++c)
        colour[c] = std::to_integer<int>(
            image.pixels[4 * (static_cast<std::size_t>(at.y) * image.size.x + static_cast<std::size_t>(at.x)) + c]);
    return colour;
}

TEST(WedgeThumbnail, KeepsTheProportionsAndNeverEnlarges) {
    EXPECT_EQ(thumbnailSize({1280, 720}), glm::uvec2(320, 180));
    EXPECT_EQ(thumbnailSize({720, 1280}), glm::uvec2(180, 320));
    EXPECT_EQ(thumbnailSize({64, 36}), glm::uvec2(64, 36));
    EXPECT_EQ(thumbnailSize({16384, 1}), glm::uvec2(320, 1));
}

TEST(WedgeThumbnail, IsTheMeanOfTheAreaOfEachPixel) {
    // 480 pixels become 320: a pixel covers one and a half. Columns 0, 0, 255, ...: the means are 0 (columns 0 and half of 1) and
    // 255 * 2 / 3 (half of column 1, and column 2).
    SmallImage image = filled({480, 3}, {0, 0, 0});
    for (std::size_t n = 2; n < 480 * 3; n += 3) image.pixels[4 * n] = std::byte{255};
    const SmallImage small = thumbnailOf(image.pixels, image.size);
    ASSERT_EQ(small.size, glm::uvec2(320, 2));
    for (int x = 0; x < 320; x += 2) {
        EXPECT_THAT(pixel(small, {x, 0}), ElementsAre(0, 0, 0)) << x;
        EXPECT_THAT(pixel(small, {x + 1, 1}), ElementsAre(170, 0, 0)) << x;
    }
}

TEST(WedgeThumbnail, IsReadAsItWasWritten) {
    const test::ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "t.png";
    const SmallImage image = filled({7, 5}, {10, 20, 30});
    writeFileAtomically(file, encode(ImageKind::Png, image.size, image.pixels));
    const SmallImage read = readThumbnail(file);
    EXPECT_EQ(read.size, image.size);
    EXPECT_EQ(read.pixels, image.pixels);

    const SmallImage large = filled({kThumbnail + 1, 1}, {});
    writeFileAtomically(file, encode(ImageKind::Png, large.size, large.pixels));
    const std::string whole = encode(ImageKind::Png, image.size, image.pixels);
    for (const std::string& bytes :
         {encode(ImageKind::Png, large.size, large.pixels), std::string("no image"), std::string(), whole.substr(0, whole.size() / 2)}) {
        writeFileAtomically(file, bytes);
        EXPECT_THAT([&] { (void)readThumbnail(file); }, testing::ThrowsMessage<Failure>(HasSubstr("t.png: is not a thumbnail")));
    }
    EXPECT_THROW((void)readThumbnail(scratch.path() / "missing.png"), Failure);
}

TEST(WedgeSheet, HasTheLastKeyFromLeftToRight) {
    const SheetLayout layout{.title = "smoke", .tiles = 6, .columns = 3, .picture = {320, 180}, .labelLines = 3};
    EXPECT_EQ(layout.pages(), 1u);
    EXPECT_EQ(layout.lines(), 2u);
    const auto colour = [](std::size_t n) { return std::array<int, 3>{40 + 30 * static_cast<int>(n), 0, 255}; };
    std::size_t calls = 0;
    const SmallImage sheet = drawSheet(layout, 0, [&](std::size_t n) {
        ++calls;
        return SheetTile{.picture = filled({320, 180}, colour(n)), .note = {}, .label = {"vorticity = 0.2"}};
    });
    EXPECT_EQ(calls, 6u);
    for (std::size_t n = 0; n < 6; ++n) {
        const glm::ivec2 corner = layout.position(n);
        EXPECT_EQ(pixel(sheet, corner), colour(n)) << n;
        EXPECT_EQ(pixel(sheet, corner + glm::ivec2(319, 179)), colour(n)) << n;
        // The label below: letters as bright as they are drawn, on the dark paper.
        int bright = 0;
        for (int y = 182; y < 195; ++y)
            for (int x = 0; x < 15 * 7; ++x) bright += pixel(sheet, corner + glm::ivec2(x, y)) == std::array<int, 3>{235, 235, 235} ? 1 : 0;
        EXPECT_GT(bright, 50) << n;
        if (n % 3 > 0) {
            EXPECT_GT(corner.x, layout.position(n - 1).x);
            EXPECT_EQ(corner.y, layout.position(n - 1).y);
        }
        if (n >= 3) {
            EXPECT_EQ(corner.x, layout.position(n - 3).x);
            EXPECT_GE(corner.y, layout.position(n - 3).y + layout.tileSize().y);
        }
    }
}

TEST(WedgeSheet, ShowsWhyAPictureIsMissing) {
    const SheetLayout layout{.title = "smoke", .tiles = 2, .columns = 2, .picture = {320, 180}, .labelLines = 1};
    const auto draw = [&](const std::string& note) {
        return drawSheet(layout, 0, [&](std::size_t n) { return SheetTile{.picture = {}, .note = n == 1 ? note : "", .label = {"x"}}; });
    };
    const SmallImage without = draw(""), with = draw("failed, status 7: " + std::string(4000, 'x'));
    const auto inks = [&](const SmallImage& sheet, std::size_t tile) {
        int count = 0;
        for (int y = 0; y < 180; ++y)
            for (int x = 0; x < 320; ++x)
                count += pixel(sheet, layout.position(tile) + glm::ivec2(x, y)) == std::array<int, 3>{255, 170, 120} ? 1 : 0;
        return count;
    };
    EXPECT_EQ(inks(without, 1), 0);
    EXPECT_EQ(inks(with, 0), 0);
    EXPECT_GT(inks(with, 1), 1000);
    // A long text stays in its tile: the label below is the same.
    for (int y = 180; y < layout.tileSize().y; ++y)
        for (int x = 0; x < 320; ++x) {
            const glm::ivec2 at = layout.position(1) + glm::ivec2(x, y);
            ASSERT_EQ(pixel(with, at), pixel(without, at)) << x << " " << y;
        }
}

TEST(WedgeSheet, LongRowsAreBrokenAndManyMakePages) {
    const SheetLayout broken{.title = "t", .tiles = 60, .columns = 30, .picture = {320, 180}, .labelLines = 2};
    EXPECT_EQ(broken.tilesPerLine(), 15u);  // two halves, not 24 and 6
    EXPECT_EQ(broken.lines(), 4u);
    EXPECT_EQ(broken.position(15).x, broken.position(0).x);
    EXPECT_EQ(broken.position(30).x, broken.position(0).x);  // the next value of the other key begins a line

    const SheetLayout many{.title = "t", .tiles = 10'000, .columns = 100, .picture = {320, 180}, .labelLines = 2};
    ASSERT_GT(many.pages(), 1u);
    std::vector<std::size_t> tiles(many.pages());
    for (std::size_t n = 0; n < many.tiles; ++n) {
        const std::size_t page = many.pageOf(n);
        ASSERT_LT(page, many.pages());
        ++tiles[page];
        const glm::ivec2 end = many.position(n) + many.tileSize(), size = many.pageSize(page);
        ASSERT_TRUE(end.x <= size.x && end.y <= size.y) << n;
    }
    for (std::size_t page = 0; page < many.pages(); ++page) {
        const glm::ivec2 size = many.pageSize(page);
        EXPECT_GT(tiles[page], 0u);
        EXPECT_LE(static_cast<double>(size.x) * size.y, 52e6) << "an image that other programs can open";
    }
}

}  // namespace
}  // namespace wisp::app
