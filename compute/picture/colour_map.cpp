// SPDX-License-Identifier: MIT
#include "compute/picture/colour_map.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace wisp {
namespace {

using glm::dvec3;

/// A colour in polar coordinates of OKLab: lightness, chroma, hue [degrees].
struct Stop {
    double lightness, chroma, hue;
};

dvec3 lab(const Stop& s) { return {s.lightness, s.chroma * std::cos(glm::radians(s.hue)), s.chroma * std::sin(glm::radians(s.hue))}; }

dvec3 linearSrgb(dvec3 c) {  // OKLab, Ottosson 2020
    const double l = std::pow(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z, 3.0);
    const double m = std::pow(c.x - 0.1055613458 * c.y - 0.0638541728 * c.z, 3.0);
    const double s = std::pow(c.x - 0.0894841775 * c.y - 1.2914855480 * c.z, 3.0);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// A Catmull-Rom curve through the stops, as many short pieces.
std::vector<dvec3> curveThrough(std::span<const Stop> stops) {
    constexpr std::size_t kPieces = 1000;  // between two stops
    std::vector<dvec3> p{dvec3(0.0)};
    for (const Stop& s : stops) p.push_back(lab(s));
    p.front() = 2.0 * p[1] - p[2];
    p.push_back(2.0 * p[p.size() - 1] - p[p.size() - 2]);
    std::vector<dvec3> curve;
    for (std::size_t k = 1; k + 2 < p.size(); ++k)
        for (std::size_t i = 0; i < kPieces + (k + 3 == p.size() ? 1 : 0); ++i) {
            const double f = static_cast<double>(i) / kPieces;
            const dvec3 a = 2.0 * p[k], b = p[k + 1] - p[k - 1], c = 2.0 * p[k - 1] - 5.0 * p[k] + 4.0 * p[k + 1] - p[k + 2],
                        d = 3.0 * (p[k] - p[k + 1]) + p[k + 2] - p[k - 1];
            curve.push_back(0.5 * (a + f * (b + f * (c + f * d))));
        }
    return curve;
}

/// Fills `colours` with points at equal distances along the curve.
void spread(std::span<const dvec3> curve, std::span<glm::vec3> colours) {
    std::vector<double> length{0.0};
    for (std::size_t i = 1; i < curve.size(); ++i) length.push_back(length.back() + glm::distance(curve[i - 1], curve[i]));
    std::size_t j = 0;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        const double s = length.back() * static_cast<double>(i) / static_cast<double>(colours.size() - 1);
        while (j + 2 < length.size() && length[j + 1] < s) ++j;
        colours[i] = linearSrgb(glm::mix(curve[j], curve[j + 1], (s - length[j]) / (length[j + 1] - length[j])));
    }
}

}  // namespace

ColourMap sequentialMap() {
    constexpr std::array<Stop, 6> kStops{
        {{0.17, 0.05, 282}, {0.33, 0.15, 292}, {0.49, 0.18, 340}, {0.64, 0.18, 25}, {0.80, 0.145, 68}, {0.96, 0.09, 105}}};
    ColourMap map;
    spread(curveThrough(kStops), map);
    return map;
}

ColourMap divergingMap() {
    constexpr std::array<Stop, 4> kBlue{{{0.40, 0.15, 262}, {0.60, 0.12, 256}, {0.79, 0.06, 250}, {0.95, 0.0, 250}}};
    constexpr std::array<Stop, 4> kRed{{{0.95, 0.0, 45}, {0.79, 0.07, 45}, {0.60, 0.14, 35}, {0.40, 0.15, 28}}};
    ColourMap map;
    spread(curveThrough(kBlue), std::span(map).first(kMapColours / 2));
    spread(curveThrough(kRed), std::span(map).last(kMapColours / 2));
    return map;
}

glm::vec3 colourAt(const ColourMap& map, float t) {
    const float position = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(kMapColours - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(position), kMapColours - 2);
    return glm::mix(map[i], map[i + 1], position - static_cast<float>(i));
}

}  // namespace wisp
