// SPDX-License-Identifier: MIT
// What a window shows: the picture, and triangles over it.
#include "tests/gpu/pass_test.h"
#include "tests/reference/screen.h"

#include <cmath>
#include <cstring>
#include <random>

namespace wisp::test {
namespace {

class PassScreen : public PassTest {
protected:
    struct Scene {
        gpu::ScreenPush push{.pixels = {150, 70}, .picture = {150, 70}};
        std::vector<std::uint32_t> picture;
        std::vector<gpu::ScreenVertex> vertices;
        std::vector<std::uint16_t> indices;
        std::vector<gpu::ScreenRange> ranges;
        Field atlas{ivec3(8, 8, 1), dvec4(1.0)};
    };
    void SetUp() override {
        PassTest::SetUp();
        step = makeStep({.cells = {1, 1, 1}});
    }
    template <class T>
    engine::Buffer send(const std::vector<T>& values) {
        std::vector<float> words((values.size() * sizeof(T) + 3) / 4 + 1);
        std::memcpy(words.data(), values.data(), values.size() * sizeof(T));
        engine::Buffer buffer = target(words.size());
        upload(buffer, words);
        return buffer;
    }
    /// Levels of each pixel.
    std::vector<glm::ivec4> draw(Scene& s) {
        std::vector<std::uint32_t> tiles{0};  // each has all triangles
        std::vector<gpu::ScreenEntry> entries;
        for (int n = 0; n < (s.push.pixels.x + 15) / 16 * ((s.push.pixels.y + 15) / 16); ++n) {
            for (std::uint32_t r = 0; r < s.ranges.size(); ++r)
                for (std::uint32_t t = 0; t < s.ranges[r].triangles; ++t) entries.push_back({r, s.ranges[r].first + 3 * t});
            tiles.push_back(static_cast<std::uint32_t>(entries.size()));
        }
        s.picture.resize(static_cast<std::size_t>(s.push.picture.x * s.push.picture.y), 0xff000000u);
        const auto picture = send(s.picture), vertices = send(s.vertices), indices = send(s.indices), ranges = send(s.ranges), first = send(tiles), all = send(entries);
        const engine::Image atlas = image("atlas", {s.atlas.size().x, s.atlas.size().y, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        std::vector<float> texels;
        for (const dvec4& c : s.atlas.values())
            for (int n = 0; n < 4; ++n) texels.push_back(static_cast<float>(c[n]));
        upload(atlas, texels);
        const std::size_t count = static_cast<std::size_t>(s.push.pixels.x * s.push.pixels.y);
        const engine::Buffer words = target(count);
        pass("screen", {s.push.pixels, 1}, {{"picture", picture}, {"vertices", vertices}, {"indices", indices}, {"ranges", ranges}, {"tiles", first}, {"entries", all}, {"atlas", atlas}, {"words", words}}, s.push);
        const std::vector<std::byte> bytes = downloadBytes(words);
        std::vector<glm::ivec4> levels(count);
        for (std::size_t i = 0; i < count; ++i)
            for (int n = 0; n < 4; ++n) levels[i][n] = std::to_integer<int>(bytes[4 * i + static_cast<std::size_t>(n)]);
        return levels;
    }
    std::mt19937 random_{11};
    float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
};

TEST_F(PassScreen, MatchesItsTwin) {
    for (const glm::ivec2 size : {glm::ivec2(150, 70), glm::ivec2(37, 20)}) {
        Scene s;
        s.push.picture = size;
        for (int i = 0; i < size.x * size.y; ++i) s.picture.push_back(word());
        for (dvec4& c : s.atlas.values()) c = dvec4(uniform(0.5f, 1.0f), uniform(0.5f, 1.0f), uniform(0.5f, 1.0f), uniform(0.5f, 1.0f));
        for (int i = 0; i < 1000; ++i) s.vertices.push_back({{uniform(-20.0f, 170.0f), uniform(-20.0f, 90.0f)}, {uniform(0.1f, 0.9f), uniform(0.1f, 0.9f)}, word()});
        for (int i = 0; i < 3 * 700; ++i) s.indices.push_back(static_cast<std::uint16_t>(random_() % 900));
        // One range begins in the middle of a word, one has a base.
        s.ranges = {{{0, 0, 150, 70}, 0, 301, 0}, {{20.5f, 10, 90, 47.25f}, 3 * 301, 99, 0}, {{-5, -5, 300, 300}, 3 * 400, 40, 100}};
        const std::vector<glm::ivec4> gpu = draw(s);
        std::size_t sure = 0;
        for (int y = 0; y < 70; ++y)
            for (int x = 0; x < 150; ++x) {
                const Shown twin = screen(s.push, s.picture, s.vertices, s.indices, s.ranges, s.atlas, {x, y});
                if (twin.clearance < 1e-3) continue;  // a float's rounding may put its middle on the other side of an edge
                ++sure;
                const glm::ivec4 level = gpu[static_cast<std::size_t>(150 * y + x)];
                // Half a level, and of up to 440 triangles what the filter of the atlas is off by at worst, which each later one halves.
                for (int n = 0; n < 3; ++n) EXPECT_NEAR(level[n], 255.0 * twin.colour[n], 0.51 + 255.0 * 2.0 * kFilter * 0.5) << x << " " << y << " channel " << n;
                EXPECT_EQ(level.w, 255);
            }
        EXPECT_GT(sure, 150u * 70u * 2 / 3);
    }
}

// A fan of half transparent triangles covers its polygon once, edges and all: also where corners and edges go through pixels' middles.
TEST_F(PassScreen, NeighboursShareNoPixelAndLeaveNone) {
    for (const float offset : {0.0f, 0.5f, 0.137f}) {
        Scene s;
        s.vertices.push_back({{75.0f + offset, 35.0f + offset}, {0.5f, 0.5f}, 0x80ffffffu});
        for (int n = 0; n < 16; ++n) {
            const double angle = 2.0 * 3.14159265358979 * n / 16.0;
            s.vertices.push_back({{std::round(75.0 + 60.0 * std::cos(angle)) + offset, std::round(35.0 + 30.0 * std::sin(angle)) + offset}, {0.5f, 0.5f}, 0x80ffffffu});
            const int a = 1 + n, b = 1 + (n + 1) % 16;
            for (const int i : {0, n % 3 == 0 ? b : a, n % 3 == 0 ? a : b}) s.indices.push_back(static_cast<std::uint16_t>(i));  // either way round
        }
        s.ranges = {{{0, 0, 150, 70}, 0, 16, 0}};
        const std::vector<glm::ivec4> gpu = draw(s);
        int covered = 0;
        for (const glm::ivec4& level : gpu) {
            EXPECT_TRUE(level.x == 0 || level.x == 128) << level.x;
            covered += level.x == 128;
        }
        double area = 0.0;
        for (int n = 0; n < 16; ++n) {
            const glm::dvec2 a(s.vertices[static_cast<std::size_t>(1 + n)].position), b(s.vertices[static_cast<std::size_t>(1 + (n + 1) % 16)].position);
            area += 0.5 * (a.x * b.y - a.y * b.x);
        }
        EXPECT_NEAR(covered, area, 0.01 * area);
    }
}

TEST_F(PassScreen, PutsBlueFirstWhereTheWindowWantsIt) {
    Scene s;
    s.picture.assign(150 * 70, 0xff030201u);
    s.push.blueFirst = 1;
    for (const glm::ivec4& level : draw(s)) EXPECT_EQ(level, glm::ivec4(3, 2, 1, 255));
}

}  // namespace
}  // namespace wisp::test
