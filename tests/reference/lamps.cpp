// SPDX-License-Identifier: MIT
#include "tests/reference/lamps.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wisp::reference {
namespace {

// Points and widths of an interval from `low` to `high`, which crowd at the point nearest to 0: their distances grow as cubes.
struct Part {
    double at, width;
};
std::vector<Part> crowded(double low, double high) {
    constexpr int kParts = 40;
    const double middle = std::clamp(0.0, low, high);
    std::vector<Part> parts;
    for (const double end : {low, high})
        for (int n = 0; n < kParts && end != middle; ++n) {
            const double a = std::pow(double(n) / kParts, 3.0), b = std::pow((n + 1.0) / kParts, 3.0);
            parts.push_back({middle + 0.5 * (a + b) * (end - middle), (b - a) * std::abs(end - middle)});
        }
    return parts;
}

}  // namespace

// Along z the integral of 1/(q^2 + z^2) is exact, across by the midpoint rule.
double inverseSquareMean(dvec3 d, dvec3 size) {
    if (glm::length(d) > 4.0 * std::max({size.x, size.y, size.z})) return 1.0 / glm::dot(d, d);
    const dvec3 low = -0.5 * size - d, high = 0.5 * size - d;
    double sum = 0.0;
    for (const Part& x : crowded(low.x, high.x))
        for (const Part& y : crowded(low.y, high.y)) {
            const double q = std::hypot(x.at, y.at);
            sum += x.width * y.width * (std::atan(high.z / q) - std::atan(low.z / q)) / q;
        }
    return sum / (size.x * size.y * size.z);
}

double throughFromRoot(const Step& s, const View& v, int n, double root, double distance) {
    const double edge = boxSize(s).x / v.lightCells.x;
    return std::pow(root, isLamp(v, n) ? std::min(distance / edge, 4.0) : 4.0);
}

dvec4 throughFromRoots(const Step& s, const View& v, int lights, dvec4 roots, dvec3 x) {
    dvec4 T;
    for (int n = 0; n < 4; ++n)
        T[n] = n < lights ? throughFromRoot(s, v, n, roots[n], glm::distance(dvec3(v.lights[n].towards), x)) : std::pow(roots[n], 4.0);
    return T;
}

double coneOver(const gpu::LightData& light, dvec3 d, double edge) {
    if (light.kind != WISP_SPOT) return 1.0;
    const double cosOuter = double(light.cosOuter), cosInner = cosOuter + 1.0 / double(light.perCos), wider = 0.6 * edge / glm::length(d);
    const double outer = std::cos(std::min(std::acos(cosOuter) + wider, glm::pi<double>())),
                 inner = std::cos(std::max(std::acos(cosInner) - wider, 0.0));
    return glm::smoothstep(outer, inner, -glm::dot(glm::normalize(d), dvec3(light.axis))) * (2.0 - cosOuter - cosInner) /
           (2.0 - outer - inner);
}

double lampOverBox(const Step& s, const View& v, int n, double root, dvec3 x, dvec3 size) {
    const gpu::LightData& light = v.lights[n];
    const dvec3 d = dvec3(light.towards) - x;
    const double edge = size.x;
    const double F = inverseSquareMean(d, size), r = std::sqrt(std::max(1.0 / F - 0.08 * edge * edge, 0.73 / F)),
                 T = throughFromRoot(s, v, n, root, r);
    return F * coneOver(light, d, edge) * 0.5 * (std::pow(T, 1.0 - 0.25 * edge / r) + std::pow(T, 1.0 + 0.25 * edge / r));
}

double lampAtCell(const Step& s, const View& v, int n, ivec3 c, ivec3 cells) {
    if (!isLamp(v, n)) return 1.0;
    const dvec3 size = boxSize(s) / dvec3(cells), d = dvec3(v.lights[n].towards) - dvec3(s.origin) - (dvec3(c) + 0.5) * size;
    return 1.0 / (glm::dot(d, d) + size.x * size.x / 8.0);
}

}  // namespace wisp::reference
