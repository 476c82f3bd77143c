// SPDX-License-Identifier: MIT
#include "files/scene/image_colours.h"

#include <glm/common.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace wisp {
namespace {

constexpr Chromaticities kRec709{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};

/// XYZ of a chromaticity with Y = 1.
glm::dvec3 xyzOf(const Chromaticities& c, std::size_t n) {
    const double x = c[2 * n], y = c[2 * n + 1];
    return {x / y, 1.0, (1.0 - x - y) / y};
}

/// From RGB to XYZ, so that (1, 1, 1) is the white.
glm::dmat3 toXyz(const Chromaticities& c) {
    const glm::dmat3 primaries(xyzOf(c, 0), xyzOf(c, 1), xyzOf(c, 2));
    const glm::dvec3 share = glm::inverse(primaries) * xyzOf(c, 3);
    return {primaries[0] * share.x, primaries[1] * share.y, primaries[2] * share.z};
}

/// From XYZ to the responses of cones after Bradford.
const glm::dmat3 kCones(0.8951, -0.7502, 0.0389, 0.2664, 1.7135, -0.0685, -0.1614, 0.0367, 1.0296);

bool spansColours(const Chromaticities& c) {
    if (!std::ranges::all_of(c, [](double v) { return std::abs(v) <= 2.0; })) return false;  // false for NaN
    for (std::size_t n = 0; n < 4; ++n)
        if (std::abs(c[2 * n + 1]) < 1e-3) return false;
    return std::abs(glm::determinant(glm::dmat3(xyzOf(c, 0), xyzOf(c, 1), xyzOf(c, 2)))) > 1e-3;
}

}  // namespace

glm::vec3 ImageColours::operator()(const glm::vec3& texel) const {
    if (!glm::all(glm::greaterThanEqual(texel, glm::vec3(0.0f)))) return texel;
    if (factor == glm::dvec3(1.0) && !toRec709) return texel;
    const glm::dvec3 scaled = factor * glm::dvec3(texel);
    return toRec709 ? glm::max(*toRec709 * scaled, 0.0) : scaled;
}

std::optional<glm::dmat3> toRec709(const Chromaticities& given) {
    constexpr double kSame = 1e-3;  // files state three or four digits
    const auto same = [](double a, double b) { return std::abs(a - b) <= kSame; };
    if (std::ranges::equal(given, kRec709, same)) return std::nullopt;
    if (!spansColours(given)) throw std::runtime_error("has chromaticities in its header that span no colours");
    const glm::dvec3 from = kCones * xyzOf(given, 3), to = kCones * xyzOf(kRec709, 3);
    const glm::dvec3 ratio = to / from;
    const glm::dmat3 scale(glm::dvec3(ratio.x, 0.0, 0.0), glm::dvec3(0.0, ratio.y, 0.0), glm::dvec3(0.0, 0.0, ratio.z));
    const glm::dmat3 result = glm::inverse(toXyz(kRec709)) * glm::inverse(kCones) * scale * kCones * toXyz(given);
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            if (!std::isfinite(result[c][r])) throw std::runtime_error("has chromaticities in its header that span no colours");
    return result;
}

}  // namespace wisp
