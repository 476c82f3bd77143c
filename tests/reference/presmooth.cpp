// SPDX-License-Identifier: MIT
// Pre-smoothing: the first part of tests/reference/projection.h.
#include "tests/reference/projection.h"

#include <cmath>
#include <numbers>

namespace wisp::reference {
namespace {

/// A face of a cell. `sign`: -1 for a low face.
struct Side {
    ivec3 face, neighbour;
    int axis, sign;
    bool inGrid;    ///< the neighbour exists
    double weight;  ///< open fraction, twice on an open side
};

template <class F>
void forSides(const Step& s, const Field& aperture, ivec3 c, F&& f) {
    for (int axis = 0; axis < axes(s); ++axis) {
        for (const int sign : {-1, 1}) {
            Side side{sign > 0 ? c + unit(axis) : c, c + sign * unit(axis), axis, sign, true, 0.0};
            const int n = s.cells[axis];
            if ((periodicAxes(s) >> axis & 1) != 0) side.neighbour[axis] = (side.neighbour[axis] + n) % n;
            side.inGrid = side.neighbour[axis] >= 0 && side.neighbour[axis] < n;
            side.weight = aperture(side.face)[axis] * (side.inGrid ? 1.0 : 2.0);
            f(side);
        }
    }
}

}  // namespace

Numbers presmoothDivergence(const Step& s, const Field& aperture, const Field& solid, const Field& velocity, const Field& projected) {
    Numbers e(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        double outflow = -double(s.h) * projected(c).w;
        forSides(s, aperture, c, [&](const Side& side) {
            const double alpha = aperture(side.face)[side.axis];
            outflow += side.sign * (alpha * velocity(side.face)[side.axis] + (1.0 - alpha) * solid(side.face)[side.axis]);
        });
        e(c) = outflow / 6.0;
    });
    return e;
}

Numbers presmoothPressure(const Step& s, const Field& aperture, const Numbers& e) {
    // Roots of Chebyshev's polynomial of degree r on [2 / r^2, 2].
    const double low = 2.0 / (s.ratio * s.ratio), high = 2.0;
    Numbers x(s.cells);
    for (int k = 0; k < s.ratio; ++k) {
        const double root = (low + high) / 2.0 + (high - low) / 2.0 * std::cos(std::numbers::pi * (2.0 * k + 1.0) / (2.0 * s.ratio));
        const Numbers before = x;
        forEach(s.cells, [&](ivec3 c) {
            double Ax = 0.0;
            forSides(s, aperture, c,
                     [&](const Side& side) { Ax += side.weight * (before(c) - (side.inGrid ? before(side.neighbour) : 0.0)); });
            x(c) += (e(c) - Ax / 6.0) / root;
        });
    }
    return x;
}

Field presmoothVelocity(const Step& s, const Numbers& x, const Field& velocity) {
    Field u = velocity;
    forEach(s.cells, [&](ivec3 c) {
        forSides(s, Field(s.cells + 1), c, [&](const Side& side) {
            const int kind = side.sign < 0 ? s.sidesLow[side.axis] : s.sidesHigh[side.axis];
            if (side.inGrid || kind == WISP_OPEN) u(side.face)[side.axis] -= side.sign * x(c) * (side.inGrid ? 1.0 : 2.0);
        });
    });
    // Each of the two copies of a face on a periodic side has only the share of the cell on its own side.
    forEach(u.size(), [&](ivec3 c) {
        for (int a = 0; a < axes(s); ++a) {
            ivec3 copy = c;
            copy[a] = 0;
            if ((periodicAxes(s) >> a & 1) == 0 || c[a] != s.cells[a] || !gridHasFace(s.cells, c, a)) continue;
            const double both = u(c)[a] + u(copy)[a] - velocity(c)[a];
            u(c)[a] = u(copy)[a] = both;
        }
    });
    return u;
}

}  // namespace wisp::reference
