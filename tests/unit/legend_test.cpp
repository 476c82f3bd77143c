// SPDX-License-Identifier: MIT
#include "app/output/legend.h"

#include "api/field_legend.h"
#include "compute/picture/field_view.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <set>

namespace wisp::app {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(double low, double high, std::size_t most) {
    const std::vector<double> values = ticks(low, high, most);
    std::vector<std::string> texts;
    for (const double v : values) texts.push_back(tickLabel(v, values[1] - values[0]));
    return texts;
}

TEST(LegendTicks, AreRoundNumbers) {
    EXPECT_THAT(labels(0.0, 1.0, 6), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(labels(-0.02, 0.02, 5), ElementsAre("-0.02", "-0.01", "0.00", "0.01", "0.02"));
    EXPECT_THAT(labels(0.0, 3.0, 4), ElementsAre("0", "1", "2", "3"));
    EXPECT_THAT(labels(0.13, 2.9, 6), ElementsAre("0.5", "1.0", "1.5", "2.0", "2.5"));
    EXPECT_THAT(labels(-500.0, 500.0, 6), ElementsAre("-400", "-200", "0", "200", "400"));
    EXPECT_THAT(labels(0.0, 2e6, 5), ElementsAre("0", "5e5", "1.0e6", "1.5e6", "2.0e6"));
    EXPECT_THAT(labels(0.0, 2e-5, 3), ElementsAre("0", "1e-5", "2e-5"));
    EXPECT_THAT(labels(273.15, 273.45, 4), ElementsAre("273.2", "273.3", "273.4"));
}

TEST(LegendTicks, AreNeverTooManyNorTooFew) {
    for (const double high : {1.0, 1.3, 2.0, 3.0, 4.7, 5.0, 7.0, 9.99, 1e-6, 3e8})
        for (const double low : {0.0, -high, -0.37 * high, 0.9 * high})
            for (std::size_t most = 5; most < 12; ++most) {
                const std::vector<double> values = ticks(low, high, most);
                EXPECT_LE(values.size(), most) << low << " " << high;
                EXPECT_GE(values.size(), 2u) << low << " " << high << " " << most;
                EXPECT_GE(values.front(), low - 1e-5 * (high - low));
                EXPECT_LE(values.back(), high + 1e-5 * (high - low));
            }
}

class LegendPicture : public testing::TestWithParam<glm::uvec2> {
protected:
    std::vector<std::byte> draw(const std::array<float, 4>& range) const {
        std::vector<std::byte> pixels(4 * std::size_t{GetParam().x} * GetParam().y);
        for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = std::byte{255};
        Legend(legendOf(settings()), GetParam()).draw(pixels, range, 1.25);
        return pixels;
    }
    static Settings settings() {
        Settings s;
        s.render.size = GetParam();
        s.view.field = ViewField::Pressure;
        s.view.slice = SliceAxis::Z;
        s.view.arrows = 8;
        return s;
    }
    [[nodiscard]] static std::uint32_t at(const std::vector<std::byte>& pixels, std::uint32_t x, std::uint32_t y) {
        std::uint32_t word = 0;
        std::memcpy(&word, pixels.data() + 4 * (std::size_t{y} * GetParam().x + x), sizeof word);
        return word;
    }
};
INSTANTIATE_TEST_SUITE_P(Sizes, LegendPicture,
                         testing::Values(glm::uvec2(64, 36), glm::uvec2(320, 220), glm::uvec2(640, 360), glm::uvec2(1280, 720),
                                         glm::uvec2(1920, 1080)));

TEST_P(LegendPicture, StaysInItsStripAndShowsEveryColour) {
    const std::vector<std::byte> pixels = draw({-2.0f, 2.0f, 0.5f, 3.0f});
    const std::uint32_t width = legendWidth(settings());
    std::set<std::uint32_t> colours;
    for (std::uint32_t y = 0; y < GetParam().y; ++y)
        for (std::uint32_t x = 0; x < GetParam().x; ++x) {
            const std::uint32_t word = at(pixels, x, y);
            if (x + width < GetParam().x || width == 0) {
                ASSERT_EQ(word, 0xff000000u) << x << " " << y;
            }
            ASSERT_EQ(word >> 24, 0xffu);
            colours.insert(word);
        }
    if (width == 0) return;
    EXPECT_GT(colours.size(), 40u);  // the bar has one row per colour
    // Nothing is cut off: the outermost columns and rows of the strip have the panel colour.
    for (std::uint32_t y = 0; y < GetParam().y; ++y) {
        EXPECT_EQ(at(pixels, GetParam().x - 1, y), 0xff000000u);
        EXPECT_EQ(at(pixels, GetParam().x - width, y), 0xff000000u);
    }
}

TEST_P(LegendPicture, LowEndIsAtTheBottom) {
    const std::vector<std::byte> pixels = draw({-2.0f, 2.0f, 0.5f, 3.0f});
    const std::uint32_t scale = legendScale(GetParam());
    if (scale == 0) return;
    const std::uint32_t x = GetParam().x - legendWidth(settings()) + 16 * scale;  // inside the bar
    std::uint32_t blue = 0, red = 0;                                              // the last rows in which blue and red dominate
    for (std::uint32_t y = 0; y < GetParam().y; ++y) {
        const std::uint32_t word = at(pixels, x, y), r = word & 0xff, b = word >> 16 & 0xff;
        if (r > b + 80) red = y;
        if (b > r + 80) blue = y;
    }
    EXPECT_GT(red, 0u);
    EXPECT_GT(blue, red);
}

}  // namespace
}  // namespace wisp::app
