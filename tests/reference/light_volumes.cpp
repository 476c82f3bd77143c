// SPDX-License-Identifier: MIT
#include "shaders/shared/depth_push.h"
#include "tests/reference/lamps.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

dvec3 centreOf(const Step& s, ivec3 cell, ivec3 cells) { return dvec3(s.origin) + (dvec3(cell) + 0.5) / dvec3(cells) * boxSize(s); }

// Distance from x along `way` to the side of the box, in units of the length of `way`. 0 beyond that side.
double waysInside(const Step& s, dvec3 x, dvec3 way) {
    double most = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a) {
        const double side = double(s.origin[a]) + (way[a] > 0.0 ? boxSize(s)[a] : 0.0);
        if (way[a] != 0.0) most = std::min(most, (side - x[a]) / way[a]);
    }
    return std::max(most, 0.0);
}

double integral(const Step& s, const View& v, const Field& scalars, dvec3 x, dvec3 way, int samples) {
    const double inside = std::min(waysInside(s, x, way), 1.0);
    double sum = 0.0;
    for (int i = 0; i < samples; ++i) sum += densityAt(s, scalars, x + (i + 0.5) / samples * inside * way);
    return double(v.extinction) * glm::length(way) * inside * sum / samples;
}

// Optical depth at x from a volume of depths. Beyond the centres of the outermost cells, smoke is assumed to be uniform.
dvec4 depthAt(const Step& s, const Field& depths, dvec3 x, dvec3 way, double most) {
    const dvec3 low = centreOf(s, ivec3(0), depths.size()), high = centreOf(s, depths.size() - 1, depths.size()),
                nearest = glm::clamp(x, low, high);
    return sampleBox(s, depths, nearest) * std::min(waysInside(s, x, way), most) / std::min(waysInside(s, nearest, way), most);
}

}  // namespace

std::vector<dvec3> diagonals(const Step& s, const View& v, double z, double cells) {
    std::vector<dvec3> ways;
    for (const double y : {-1.0, 1.0})
        for (const double x : {-1.0, 1.0}) ways.push_back(cells * dvec3(x, y, z) * boxSize(s) / dvec3(v.skyCells));
    return ways;
}

Field opticalDepth(const Step& s, const View& v, const Field& scalars, const std::vector<dvec3>& ways) {
    Field depths(v.skyCells);
    forEach(v.skyCells, [&](ivec3 c) {
        for (std::size_t n = 0; n < ways.size(); ++n)
            depths(c)[static_cast<int>(n)] = integral(s, v, scalars, centreOf(s, c, v.skyCells), ways[n], WISP_DEPTH_CELLS);
    });
    return depths;
}

Field opticalDepthDouble(const Step& s, const Field& depths, const std::vector<dvec3>& ways) {
    Field twice = depths;
    forEach(depths.size(), [&](ivec3 c) {
        for (int n = 0; n < static_cast<int>(ways.size()); ++n) {
            const dvec3 way = ways[static_cast<std::size_t>(n)];
            twice(c)[n] += depthAt(s, depths, centreOf(s, c, depths.size()) + way, way, 1.0)[n];
        }
    });
    return twice;
}

Field lightVolume(const Step& s, const View& v, const Field& scalars, const Field& depthToSuns, const Field& sky, int lights, double margin,
                  bool ground) {
    Field volume(v.lightCells, dvec4(1.0));
    const double edge = boxSize(s).x / v.lightCells.x, near = WISP_NEAR_CELLS * edge;
    forEach(v.lightCells, [&](ivec3 c) {
        const dvec3 x = centreOf(s, c, v.lightCells);
        if (lights < 4) volume(c).w = sampleBox(s, sky, x).x;
        for (int n = 0, sun = 0; n < lights; ++n) {
            if (isLamp(v, n)) {  // not closer to it than half an edge
                const dvec3 lamp(v.lights[n].towards), d = x - lamp;
                const double r = std::max(glm::length(d), 0.5 * edge);
                const double T = lit(s, v, scalars, n, lamp + r * glm::normalize(d), edge, margin, ground);
                volume(c)[n] = std::pow(T, 1.0 / std::min(r / edge, 4.0));
                continue;
            }
            volume(c)[n] = lit(s, v, scalars, n, x, edge, margin, ground);
            const dvec3 way = near * dvec3(v.lights[n].towards);
            const double far = depthAt(s, depthToSuns, x + way, way, 1e9)[sun++];
            if (volume(c)[n] > 0.0) volume(c)[n] = std::exp(-integral(s, v, scalars, x, way, WISP_NEAR_CELLS) - far);
            volume(c)[n] = std::pow(volume(c)[n], 0.25);
        }
    });
    return volume;
}

Field skyVolume(const Step& s, const View& v, const Field& depthBack, const Field& depthAhead, double margin, bool ground) {
    Field volume(v.skyCells);
    forEach(v.skyCells, [&](ivec3 c) {
        for (int n = 0; n < 8; ++n) {
            const Field& depths = n < 4 ? depthBack : depthAhead;
            const dvec3 towards = glm::normalize(diagonals(s, v, n < 4 ? -1.0 : 1.0, 1.0)[static_cast<std::size_t>(n % 4)]);
            if (surfaceHit(s, centreOf(s, c, v.skyCells), towards, 100.0, margin, ground).obstacle < 0)
                volume(c).x += std::exp(-depths(c)[n % 4]) / 8.0;
        }
    });
    return volume;
}

}  // namespace wisp::reference
