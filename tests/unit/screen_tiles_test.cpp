// SPDX-License-Identifier: MIT
#include "app/live/screen_tiles.h"

#include <glm/common.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace wisp::app {
namespace {

TEST(ScreenTiles, HoldWhatMeetsThemInItsOrder) {
    std::mt19937 random(5);
    const auto uniform = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
    const glm::uvec2 pixels{150, 70};
    std::vector<gpu::ScreenVertex> vertices;
    std::vector<std::uint16_t> indices;
    for (int i = 0; i < 300; ++i) {
        const glm::vec2 middle(uniform(-30.0f, 180.0f), uniform(-30.0f, 100.0f));
        for (int n = 0; n < 3; ++n) {
            vertices.push_back({middle + glm::vec2(uniform(-20.0f, 20.0f), uniform(-20.0f, 20.0f)), {}, 0});
            indices.push_back(static_cast<std::uint16_t>(3 * i + n));
        }
    }
    vertices[30].position = {std::numeric_limits<float>::quiet_NaN(), 1e30f};
    const std::vector<gpu::ScreenRange> ranges{{{0, 0, 150, 70}, 0, 150, 0}, {{17, 3, 40, 33}, 3 * 150, 100, 0}, {{-1e9f, -1e9f, 1e9f, 1e9f}, 3 * 50, 50, 600}};
    const ScreenTiles tiles = sortIntoTiles(vertices, indices, ranges, pixels);
    ASSERT_EQ(tiles.first.size(), 10u * 5u + 1u);
    EXPECT_EQ(tiles.first.front(), 0u);
    EXPECT_EQ(tiles.first.back(), tiles.entries.size());
    EXPECT_LT(tiles.entries.size(), 50u * 300u / 4u) << "most meet few tiles";
    const auto entry = [](const gpu::ScreenEntry& e) { return std::pair(e.range, e.first); };
    for (std::size_t tile = 0; tile < 50; ++tile) {
        const auto begin = tiles.entries.begin() + tiles.first[tile], end = tiles.entries.begin() + tiles.first[tile + 1];
        EXPECT_TRUE(std::is_sorted(begin, end, [&](const auto& a, const auto& b) { return entry(a) < entry(b); }));
        for (std::uint32_t r = 0; r < ranges.size(); ++r)
            for (std::uint32_t t = 0; t < ranges[r].triangles; ++t) {
                glm::vec2 p[3];
                for (std::uint32_t n = 0; n < 3; ++n) p[n] = vertices[ranges[r].base + indices[ranges[r].first + 3 * t + n]].position;
                bool meets = false;  // the middle of one of its pixels is in the triangle, and shown
                for (int i = 0; i < 256; ++i) {
                    const glm::vec2 x = glm::vec2(16 * (tile % 10) + static_cast<std::size_t>(i % 16), 16 * (tile / 10) + static_cast<std::size_t>(i / 16)) + 0.5f;
                    const auto side = [&](glm::vec2 a, glm::vec2 b) { return (b.x - a.x) * (x.y - a.y) - (b.y - a.y) * (x.x - a.x); };
                    const float a = side(p[0], p[1]), b = side(p[1], p[2]), c = side(p[2], p[0]);
                    const bool shown = x.x > ranges[r].clip.x && x.y > ranges[r].clip.y && x.x < ranges[r].clip.z && x.y < ranges[r].clip.w;
                    meets = meets || (shown && ((a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0)));
                }
                if (!meets) continue;
                const std::pair wanted(r, ranges[r].first + 3 * t);
                EXPECT_TRUE(std::any_of(begin, end, [&](const auto& e) { return entry(e) == wanted; })) << tile << ": " << r << " " << t;
            }
    }
}

TEST(ScreenTiles, OfNothingAreEmpty) {
    const ScreenTiles tiles = sortIntoTiles({}, {}, {}, {17, 16});
    EXPECT_EQ(tiles.first, (std::vector<std::uint32_t>{0, 0, 0}));
    EXPECT_TRUE(tiles.entries.empty());
}

}  // namespace
}  // namespace wisp::app
