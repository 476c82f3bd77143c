// SPDX-License-Identifier: MIT
#include "tests/reference/side_fade.h"

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

// Fade depth S at the distance `share` from the side, in units of the layer's thickness. Beyond the side it is the value at the side.
double fadeDepth(double share) { return std::log(1000.0) * std::pow(std::clamp(1.0 - share, 0.0, 1.0), 2.0); }

// Fade exponent of a path whose ends are `begin` and `end` away from a side [thicknesses of the layer], over the time dt [s].
double exponent(double begin, double end, double dt) {
    if (end >= 1.0) return 0.0;
    const double S0 = fadeDepth(begin), S1 = fadeDepth(end);
    return std::max(0.0, S1 - S0) + dt * (S0 + S1) / 2.0;
}

}  // namespace

Faded sideFade(const Step& s, const gpu::SideFadePush& push, const Field& back, const Field& aperture, const Field& scalars) {
    Faded result{scalars};
    const double width = double(push.width);
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec3 p = scalarPoint(s, c), from = p + dvec3(back.sample(p, period(s, s.cells))) + dvec3(push.scrolled);
        double sum = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            const double n = s.cells[axis];
            if (s.sidesLow[axis] == WISP_OPEN) sum += exponent(from[axis] / width, p[axis] / width, double(s.dt));
            if (s.sidesHigh[axis] == WISP_OPEN) sum += exponent((n - from[axis]) / width, (n - p[axis]) / width, double(s.dt));
        }
        dvec4& v = result.scalars(c);
        for (int n = 0; n < 4; ++n)
            if (push.fades[n] == 1.0f) v[n] *= std::exp(-sum);
        if (aperture(c / s.scalarRatio).w > 0.0) result.sum += scalars(c).x - v.x;
    });
    return result;
}

}  // namespace wisp::reference
