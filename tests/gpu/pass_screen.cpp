// SPDX-License-Identifier: MIT
// The contents of a window: the simulation image, and triangles over it.
#include "app/live/window_shaders.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/screen.h"

#include <glm/vector_relational.hpp>

#include <cmath>
#include <cstring>
#include <random>

namespace wisp::test {
namespace {

constexpr int kTile = WISP_SCREEN_TILE;

class PassScreen : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        useConstants({}, app::windowShaders());
    }
    template <class T>
    engine::Buffer send(const std::vector<T>& values) {
        std::vector<float> words((values.size() * sizeof(T)) / 4 + 1);
        std::memcpy(words.data(), values.data(), values.size() * sizeof(T));
        engine::Buffer buffer = target(words.size());
        upload(buffer, words);
        return buffer;
    }
    /// The 8-bit levels of each pixel.
    std::vector<glm::ivec4> levels(const engine::Buffer& words, glm::ivec2 pixels) {
        const std::vector<std::byte> bytes = downloadBytes(words);
        std::vector<glm::ivec4> levels(static_cast<std::size_t>(pixels.x * pixels.y));
        for (std::size_t i = 0; i < levels.size(); ++i)
            for (int n = 0; n < 4; ++n) levels[i][n] = std::to_integer<int>(bytes[4 * i + static_cast<std::size_t>(n)]);
        return levels;
    }
    std::vector<std::uint32_t> randomWords(glm::ivec2 size) {
        std::vector<std::uint32_t> words(static_cast<std::size_t>(size.x * size.y));
        for (std::uint32_t& w : words) w = word();
        return words;
    }
    std::mt19937 random_{11};
    float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
};

TEST_F(PassScreen, MatchesItsTwin) {
    struct Part {
        glm::ivec2 corner, area;  // of the window
    };
    for (const glm::ivec2 size : {glm::ivec2(150, 70), glm::ivec2(37, 20)})
        for (const auto& [blueFirst, part] : {std::pair(0u, Part{{0, 0}, {150, 70}}),
                                              {1u, Part{{0, 0}, {150, 70}}},
                                              {0u, Part{{41, 0}, {109, 70}}},
                                              {1u, Part{{0, 9}, {113, 50}}}}) {
            const gpu::ScreenPush push{
                .pixels = {150, 70}, .corner = part.corner, .area = part.area, .picture = size, .blueFirst = blueFirst};
            const std::vector<std::uint32_t> words = randomWords(size);
            const engine::Buffer out = target(150 * 70);
            pass("screen", {push.pixels, 1}, {{"picture", send(words)}, {"words", out}}, push);
            const std::vector<glm::ivec4> gpu = levels(out, push.pixels);
            for (int y = 0; y < 70; ++y)
                for (int x = 0; x < 150; ++x) {
                    const dvec3 twin = screen(push, words, {x, y});
                    const glm::ivec4 level = gpu[static_cast<std::size_t>(150 * y + x)];
                    // Half a level, plus the error of a position of up to 150 after three roundings, times the full range of a colour.
                    for (int n = 0; n < 3; ++n)
                        EXPECT_NEAR(level[blueFirst ? 2 - n : n], 255.0 * twin[n], 0.5 + 255.0 * 2.0 * 3.0 * 150.0 * kEps)
                            << x << " " << y << " channel " << n;
                    EXPECT_EQ(level.w, 255);
                }
        }
}

class PassPanels : public PassScreen {
protected:
    struct Scene {
        gpu::PanelsPush push{.pixels = {150, 70}};
        std::vector<gpu::ScreenTriangle> triangles;  // of any orientation, until list() is called
        std::vector<gpu::ScreenTile> tiles;
        std::vector<std::uint32_t> entries, words;
        Field atlas{ivec3(8, 8, 1), dvec4(1.0)};
    };
    /// Builds the lists of triangles per tile from bounding boxes. If `random`, some entries have a random rectangle. All others have the
    /// rectangle of the full tile. Orders the corners of triangles so that areas are positive.
    void list(Scene& s, bool random) {
        for (gpu::ScreenTriangle& t : s.triangles) {
            const glm::dvec2 a(t.corners[0].position), ab = glm::dvec2(t.corners[1].position) - a,
                                                       ac = glm::dvec2(t.corners[2].position) - a;
            if (ab.x * ac.y < ab.y * ac.x) std::swap(t.corners[1], t.corners[2]);
        }
        for (glm::ivec2 tile(0); tile.y < s.push.pixels.y; tile.y += kTile)
            for (tile.x = 0; tile.x < s.push.pixels.x; tile.x += kTile) {
                if (random && word() % 8 == 0) continue;
                const auto first = static_cast<std::uint32_t>(s.entries.size());
                for (std::uint32_t i = 0; i < s.triangles.size(); ++i) {
                    const auto& c = s.triangles[i].corners;
                    const glm::vec2 low = glm::min(c[0].position, glm::min(c[1].position, c[2].position)),
                                    high = glm::max(c[0].position, glm::max(c[1].position, c[2].position));
                    if (glm::any(glm::greaterThan(low, glm::vec2(tile + kTile))) || glm::any(glm::lessThan(high, glm::vec2(tile))))
                        continue;
                    const std::uint32_t whole = 7u << 6 | 7u << 9, box = random && i % 3 == 0 ? word() & 0xfffu : whole;
                    s.entries.push_back(i | box << WISP_SCREEN_INDEX_BITS);
                }
                // Every third tile has its own background, and every ninth tile has nothing else.
                glm::vec4 ground(0.0f, 0.0f, 0.0f, 1.0f);
                if (random && (tile.x + tile.y) / kTile % 3 == 0) {
                    ground.w = uniform(0.0f, 1.0f);
                    for (int n = 0; n < 3; ++n) ground[n] = uniform(0.0f, 1.0f - ground.w);
                    if (tile.x / kTile % 3 == 0) s.entries.resize(first);
                }
                if (s.entries.size() > first || ground.w < 1.0f)
                    s.tiles.push_back({tile, first, static_cast<std::uint32_t>(s.entries.size()), ground});
            }
    }
    std::vector<glm::ivec4> draw(Scene& s) {
        s.push.tiles = static_cast<std::uint32_t>(s.tiles.size());
        s.words.resize(static_cast<std::size_t>(s.push.pixels.x * s.push.pixels.y), 0xff000000u);
        const auto triangles = send(s.triangles), tiles = send(s.tiles), entries = send(s.entries), words = send(s.words);
        const engine::Image atlas = image("atlas", {s.atlas.size().x, s.atlas.size().y, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        std::vector<float> texels;
        for (const dvec4& c : s.atlas.values())
            for (int n = 0; n < 4; ++n) texels.push_back(static_cast<float>(c[n]));
        upload(atlas, texels);
        const auto rows = static_cast<int>((s.tiles.size() + WISP_SCREEN_TILE_ROW - 1) / WISP_SCREEN_TILE_ROW);
        const int row = std::min(static_cast<int>(s.tiles.size()), WISP_SCREEN_TILE_ROW);
        pass("panels", {row * kTile, rows * kTile, 1},
             {{"triangles", triangles}, {"tiles", tiles}, {"entries", entries}, {"atlas", atlas}, {"words", words}}, s.push);
        return levels(words, s.push.pixels);
    }
};

TEST_F(PassPanels, MatchesItsTwin) {
    for (const std::uint32_t blueFirst : {0u, 1u}) {
        Scene s;
        s.push.blueFirst = blueFirst;
        s.words = randomWords(s.push.pixels);
        for (std::uint32_t& w : s.words) w |= 0xff000000u;
        for (dvec4& c : s.atlas.values()) c = dvec4(uniform(0.5f, 1.0f), uniform(0.5f, 1.0f), uniform(0.5f, 1.0f), uniform(0.5f, 1.0f));
        const auto corner = [&] {
            return gpu::ScreenCorner{{uniform(-20.0f, 170.0f), uniform(-20.0f, 90.0f)}, {uniform(0.1f, 0.9f), uniform(0.1f, 0.9f)}, word()};
        };
        for (int i = 0; i < 440; ++i) s.triangles.push_back({{corner(), corner(), corner()}});
        list(s, true);
        const std::vector<std::uint32_t> before = s.words;
        const std::vector<glm::ivec4> gpu = draw(s);
        std::size_t sure = 0;
        for (int y = 0; y < 70; ++y)
            for (int x = 0; x < 150; ++x) {
                const Drawn twin = panels(s.push, s.triangles, s.tiles, s.entries, s.atlas, before, {x, y});
                if (twin.clearance < 1e-3) continue;  // rounding may move the pixel's centre across an edge
                ++sure;
                const glm::ivec4 level = gpu[static_cast<std::size_t>(150 * y + x)];
                // Half a level, plus the largest error of the atlas filter over up to 440 triangles. Each later triangle halves the error
                // of earlier ones.
                for (int n = 0; n < 3; ++n)
                    EXPECT_NEAR(level[blueFirst ? 2 - n : n], 255.0 * twin.colour[n], 0.51 + 255.0 * 2.0 * kFilter * 0.5)
                        << x << " " << y << " channel " << n;
                EXPECT_EQ(level.w, 255);
            }
        EXPECT_GT(sure, 150u * 70u * 2 / 3);
    }
}

// More tiles than fit in a row of a dispatch.
TEST_F(PassPanels, ReachesEveryTileOfAWideWindow) {
    Scene s;
    s.push.pixels = {8 * 100, 8 * 60};
    s.triangles = {
        {{{{-1, -1}, {0.5f, 0.5f}, 0xffffffffu}, {{1700, -1}, {0.5f, 0.5f}, 0xffffffffu}, {{-1, 1700}, {0.5f, 0.5f}, 0xffffffffu}}}};
    list(s, false);
    ASSERT_GT(s.tiles.size(), static_cast<std::size_t>(WISP_SCREEN_TILE_ROW));
    for (const glm::ivec4& level : draw(s)) ASSERT_EQ(level, glm::ivec4(255));
}

// A fan of half-transparent triangles covers each pixel of its polygon exactly once, also if corners and edges go through pixel centres.
TEST_F(PassPanels, NeighboursShareNoPixelAndLeaveNoGap) {
    for (const float offset : {0.0f, 0.5f, 0.137f}) {
        Scene s;
        std::vector<gpu::ScreenCorner> rim;
        for (int n = 0; n < 16; ++n) {
            const double angle = 2.0 * 3.14159265358979 * n / 16.0;
            rim.push_back({{std::round(75.0 + 60.0 * std::cos(angle)) + offset, std::round(35.0 + 30.0 * std::sin(angle)) + offset},
                           {0.5f, 0.5f},
                           0x80ffffffu});
        }
        for (std::size_t n = 0; n < 16; ++n)
            s.triangles.push_back({{{{75.0f + offset, 35.0f + offset}, {0.5f, 0.5f}, 0x80ffffffu}, rim[n], rim[(n + 1) % 16]}});
        list(s, false);
        const std::vector<glm::ivec4> gpu = draw(s);
        int covered = 0;
        for (const glm::ivec4& level : gpu) {
            EXPECT_TRUE(level.x == 0 || level.x == 128) << level.x;
            covered += level.x == 128;
        }
        double area = 0.0;
        for (std::size_t n = 0; n < 16; ++n) {
            const glm::dvec2 a(rim[n].position), b(rim[(n + 1) % 16].position);
            area += 0.5 * (a.x * b.y - a.y * b.x);
        }
        EXPECT_NEAR(covered, area, 0.01 * area);
    }
}

}  // namespace
}  // namespace wisp::test
