// SPDX-License-Identifier: MIT
#include "compute/picture/colour_map.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

/// OKLab of a linear sRGB colour, Ottosson 2020: the inverse of the conversion that creates the maps.
glm::dvec3 oklab(glm::dvec3 c) {
    const double l = std::cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z);
    const double m = std::cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z);
    const double s = std::cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/// Steps between neighbours in [first, last] differ by at most 1 %, and lightness is monotonic.
void expectUniform(const ColourMap& map, std::size_t first, std::size_t last, double direction) {
    const double mean = [&] {
        double sum = 0.0;
        for (std::size_t i = first; i < last; ++i) sum += glm::distance(oklab(map[i]), oklab(map[i + 1]));
        return sum / static_cast<double>(last - first);
    }();
    for (std::size_t i = first; i < last; ++i) {
        const glm::dvec3 a = oklab(map[i]), b = oklab(map[i + 1]);
        EXPECT_NEAR(glm::distance(a, b) / mean, 1.0, 0.01) << i;
        EXPECT_GT(direction * (b.x - a.x), 0.0) << i;
    }
}

TEST(ColourMap, AreWithinTheDisplayRange) {
    for (const ColourMap& map : {sequentialMap(), divergingMap()})
        for (const glm::vec3 c : map)
            for (int n = 0; n < 3; ++n) {
                EXPECT_GE(c[n], 0.0f);
                EXPECT_LE(c[n], 1.0f);
            }
}

TEST(ColourMap, SequentialIsUniformAndRises) {
    const ColourMap map = sequentialMap();
    expectUniform(map, 0, kMapColours - 1, 1.0);
    EXPECT_LT(oklab(map.front()).x, 0.2);
    EXPECT_GT(oklab(map.back()).x, 0.9);
}

TEST(ColourMap, DivergingIsUniformAndMeetsAtAGrey) {
    const ColourMap map = divergingMap();
    expectUniform(map, 0, kMapColours / 2 - 1, 1.0);
    expectUniform(map, kMapColours / 2, kMapColours - 1, -1.0);
    const glm::dvec3 grey = oklab(colourAt(map, 0.5f)), low = oklab(map.front()), high = oklab(map.back());
    EXPECT_LT(std::hypot(grey.y, grey.z), 1e-3);
    EXPECT_NEAR(low.x, high.x, 0.01);  // neither end is more prominent than the other
    EXPECT_LT(low.z, -0.1);            // blue
    EXPECT_GT(high.y, 0.1);            // red
    EXPECT_NEAR(glm::distance(low, grey), glm::distance(high, grey), 0.02);
}

TEST(ColourMap, InterpolatesBetweenEntries) {
    const ColourMap map = sequentialMap();
    EXPECT_EQ(colourAt(map, -1.0f), map.front());
    EXPECT_EQ(colourAt(map, 1.0f), map.back());
    const glm::vec3 c = colourAt(map, 10.25f / 255.0f), expected = map[10] + 0.25f * (map[11] - map[10]);
    EXPECT_LT(glm::distance(c, expected), 1e-6f);
}

}  // namespace
}  // namespace wisp
