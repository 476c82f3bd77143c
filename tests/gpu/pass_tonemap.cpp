// SPDX-License-Identifier: MIT
// From linear radiance to bytes: exposure, tone curves, sRGB, dither.
#include "tests/gpu/pass_test.h"

#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

// Tiles of 4x4 equal pixels: the dither's sixteen thresholds must give every tile the mean of its colour.
class PassTonemap : public PassTest {};
class PassTonemapCurve : public PassTest, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Curves, PassTonemapCurve, testing::Values(0, 1, 2, 3));

TEST_P(PassTonemapCurve, MatchesItsTwinInTheMeanOfEveryTile) {
    step = makeStep({.cells = {1, 1, 1}});
    View v{};
    v.pixels = {128, 64};
    v.exposure = 1.5f;
    v.tonemap = GetParam();
    view = v;
    const ivec3 tiles(32, 16, 1);
    Field colours = random(tiles, 3, 0.0, 1.0), pixels({128, 64, 1});
    for (dvec4& c : colours.values()) c = c * c * c * 4.0;  // dark and bright colours
    forEach(pixels.size(), [&](ivec3 p) { pixels(p) = colours(ivec3(p.x / 4, p.y / 4, 0)); });
    const engine::Image radiance = image("radiance", {128, 64, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
    std::vector<float> texels;
    for (const dvec4& c : pixels.values())
        texels.insert(texels.end(), {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z), 1.0f});
    upload(radiance, texels);
    const engine::Buffer display = target(pixels.count());
    pass("tonemap", pixels.size(), {{"radiance", radiance}, {"display", display}});
    const std::vector<std::byte> bytes = downloadBytes(display);
    const auto channel = [&](ivec3 p, int n) { return std::to_integer<int>(bytes[static_cast<std::size_t>(4 * (p.y * 128 + p.x) + n)]); };
    forEach(tiles, [&](ivec3 tile) {
        const dvec3 twin = 255.0 * tonemap(v, dvec3(colours(tile)));
        for (int n = 0; n < 3; ++n) {
            double mean = 0.0;
            forEach({4, 4, 1}, [&](ivec3 o) {
                const int value = channel(4 * tile + o, n);
                mean += value / 16.0;
                EXPECT_LT(std::abs(value - twin[n]), 1.05);  // a dither of half a step either way, on top of rounding
            });
            // Sixteen thresholds round the mean to a sixteenth. The curves lose about 100 roundings to cancellation and powers.
            EXPECT_NEAR(mean, twin[n], 1.0 / 32.0 + 255.0 * 100.0 * kEps);
        }
    });
    forEach(pixels.size(), [&](ivec3 p) { EXPECT_EQ(channel(p, 3), 255); });
}

// Inverse of IEC 61966-2-1, in double precision.
double linearOf(double level) {
    const double v = level / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

TEST_F(PassTonemap, GivesEverySrgbLevelAndSixteenthExactly) {
    step = makeStep({.cells = {1, 1, 1}});
    View v{};
    // One tile for every level and for k sixteenths of the step to the next level, slightly below and slightly above.
    v.pixels = {1024, 128};
    v.exposure = 1.0f;
    v.tonemap = 2;
    view = v;
    // The count changes half a sixteenth away from k. An offset of seven eighths of that leaves 1/256 of a step for the curve's roundings.
    const auto levelOf = [](ivec3 tile) { return tile.x + ((tile.y - tile.y % 2) / 2.0 + (tile.y % 2 == 0 ? -7.0 : 7.0) / 16.0) / 16.0; };
    const engine::Image radiance = image("radiance", {v.pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
    std::vector<float> texels;
    forEach({1024, 128, 1}, [&](ivec3 p) { texels.insert(texels.end(), 4, static_cast<float>(linearOf(levelOf(p / 4)))); });
    upload(radiance, texels);
    const engine::Buffer display = target(std::size_t{1024} * 128);
    pass("tonemap", {1024, 128, 1}, {{"radiance", radiance}, {"display", display}});
    const std::vector<std::byte> bytes = downloadBytes(display);
    forEach({256, 32, 1}, [&](ivec3 tile) {
        int higher = 0;
        forEach({4, 4, 1}, [&](ivec3 o) {
            const ivec3 p = 4 * tile + o;
            const int byte = std::to_integer<int>(bytes[static_cast<std::size_t>(4 * (p.y * 1024 + p.x))]);
            EXPECT_TRUE(byte == tile.x || byte == tile.x + 1) << byte << " for " << tile.x;
            higher += byte == tile.x + 1 ? 1 : 0;
        });
        EXPECT_EQ(higher, tile.x == 255 ? 0 : tile.y / 2) << "level " << levelOf(tile);
    });
}

TEST_P(PassTonemapCurve, InfiniteLightIsWhite) {
    step = makeStep({.cells = {1, 1, 1}});
    View v{};
    v.pixels = {4, 4};
    v.exposure = 4.0f;
    v.tonemap = GetParam();
    view = v;
    const engine::Image radiance = image("radiance", {4, 4, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
    upload(radiance, std::vector<float>(64, std::numeric_limits<float>::infinity()));  // half floats above 65504 are infinite
    const engine::Buffer display = target(16);
    pass("tonemap", {4, 4, 1}, {{"radiance", radiance}, {"display", display}});
    for (const std::byte b : downloadBytes(display)) EXPECT_GE(std::to_integer<int>(b), 254);  // AgX ends at 0.998
}

}  // namespace
}  // namespace wisp::test
