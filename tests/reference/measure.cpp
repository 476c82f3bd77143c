// SPDX-License-Identifier: MIT
#include "tests/reference/measure.h"

#include "tests/reference/pressure.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {

Measures measureCoarse(const Step& s, const Field& velocity, const Field& openness, const Field& weights) {
    Measures r{};
    const Numbers div = divergence(s, velocity, openness);
    forEach(s.pressureCells, [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        r[0] += div(c) * div(c);
        r[1] += 1.0;
        r[6] = std::max(r[6], std::abs(div(c)));
    });
    return r;
}

Measures measureFine(const Step& s, const Field& velocity, const Field& openness, const Field& after) {
    Measures r{};
    Step fine = s;
    fine.ratio = 1;
    fine.pressureCells = s.cells;
    const Numbers div = divergence(fine, velocity, openness);
    forEach(s.cells, [&](ivec3 c) {
        const dvec4 v = after(c);
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) r[3] += 1.0;
        if (openness(c).w == 0.0) return;
        dvec3 u(0.0);
        for (int a = 0; a < 3; ++a) u[a] = 0.5 * (velocity(c)[a] + velocity(c + unit(a))[a]);
        r[0] += div(c) * div(c);
        r[1] += 1.0;
        r[2] += 0.5 * glm::dot(u, u);
        r[6] = std::max(r[6], std::abs(div(c)));
        r[7] = std::max(r[7], glm::length(u));
    });
    return r;
}

Measures measureScalars(const Step& s, const Field& scalars, const Field& openness) {
    Measures r{};
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec4 v = scalars(c);
        r[openness(c / s.scalarRatio).w == 0.0 ? 1 : 0] += v.x;
        if (!std::isfinite(v.x)) r[2] += 1.0;
        if (!std::isfinite(v.y)) r[3] += 1.0;
    });
    return r;
}

}  // namespace wisp::reference
