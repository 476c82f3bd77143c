// SPDX-License-Identifier: MIT
#include "tests/reference/probes.h"

#include "tests/reference/motion.h"
#include "tests/reference/wind.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace wisp::reference {
namespace {

// Weighted mean over the surrounding fluid cells, and the sum of their weights.
template <class Value, class Fluid>
std::pair<dvec3, double> around(const Numbers& grid, dvec3 texel, ivec3 period, Value&& value, Fluid&& fluid) {
    dvec3 sum(0.0);
    double weight = 0.0;
    grid.forTexelsAround(
        texel,
        [&](ivec3 c, double w) {
            if (!fluid(c)) return;
            sum += w * value(c);
            weight += w;
        },
        period);
    return {weight > 0.0 ? sum / weight : dvec3(0.0), weight};
}

}  // namespace

ProbeTwin sampleProbe(const Step& s, const ViewSources& from, const Numbers& potential, const Field& solid, const gpu::WispWind& wind,
                      dvec3 x) {
    ProbeTwin r;
    dvec3 p = (x - dvec3(wind.origin)) / double(wind.h);
    if (isFlat(s)) p.z = 0.5;
    r.there = true;
    r.edge = 1e9;
    const ivec3 box = period(s, s.cells);
    for (int a = 0; a < 3; ++a) {
        r.edge = std::min(r.edge, std::abs(p[a] - std::round(p[a])));  // also where the aperture of another cell starts to count
        if (box[a] == 0) r.there = r.there && p[a] >= -1e-3 && p[a] <= s.cells[a] + 1e-3;
    }
    if (isFlat(s)) r.edge = std::min(std::abs(p.x - std::round(p.x)), std::abs(p.y - std::round(p.y)));
    if (!r.there) return r;
    if (s.obstacleCount > 0) {
        const double d = solid.sample(p, box).x;
        r.edge = std::min(r.edge, std::abs(d));
        r.there = d >= 0.0 && from.aperture(solid.inside(ivec3(glm::floor(p)), box)).w > 0.0;
    }
    if (!r.there) return r;
    r.velocity = velocityAt(from.velocity, wind, p);
    const Field omega = curl(s, from.centre);
    const auto open = [&](ivec3 c) { return from.aperture(c).w > 0.0; };
    std::tie(r.vorticity, r.vorticityWeight) = around(
        Numbers(s.cells), p, box, [&](ivec3 c) { return dvec3(omega(c)); }, open);
    const auto [scalar, weight] = around(
        Numbers(s.scalarCells), p * dvec3(scalarsPerCell(s)), period(s, s.scalarCells), [&](ivec3 c) { return dvec3(from.scalars(c)); },
        [&](ivec3 c) { return open(c / scalarsPerCell(s)); });
    r.density = scalar.x;
    r.temperature = scalar.y;
    r.scalarWeight = weight;
    dvec3 q;
    std::tie(q, r.pressureWeight) = around(
        from.pressure, p / double(s.ratio), period(s, s.pressureCells), [&](ivec3 c) { return dvec3(from.pressure(c)); },
        [&](ivec3 c) { return from.weights(c).w > 0.0; });
    if (s.ratio > 1) {
        const auto [fine, fineWeight] = around(
            potential, p, box, [&](ivec3 c) { return dvec3(potential(c)); }, open);
        q.x -= double(s.h) * fine.x;
        r.pressureWeight = std::min(r.pressureWeight, fineWeight);
    }
    r.pressure = q.x / double(s.dt);
    return r;
}

}  // namespace wisp::reference
