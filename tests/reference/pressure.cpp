// SPDX-License-Identifier: MIT
#include "tests/reference/pressure.h"

namespace wisp::reference {
namespace {

double spacing(const Step& s) { return s.ratio * double(s.h); }

// Mean over r^2 fine faces of what flows through them: the fluid through the open part, the solid's motion through the rest.
double meanFlux(const Step& s, const Field& velocity, const Field& openness, ivec3 coarse, int axis) {
    double sum = 0.0;
    forFineFaces(s, coarse, axis, [&](ivec3 f) {
        const double alpha = openness(f)[axis];
        sum += alpha * velocity(f)[axis] + (1.0 - alpha) * solidVelocity(s, f, axis);
    });
    return sum / (s.ratio * s.ratio);
}

double rightHandSide(const Step& s, const Numbers& div, ivec3 c) { return -spacing(s) * spacing(s) * div(c); }

double solveCell(const Step& s, const Field& weights, const Numbers& div, const Numbers& q, ivec3 c) {
    if (weights(c).w == 0.0) return 0.0;
    return (rightHandSide(s, div, c) + neighbourSum(s, weights, q, c)) / weights(c).w;
}

}  // namespace

Numbers divergence(const Step& s, const Field& velocity, const Field& openness) {
    Numbers div(s.pressureCells);
    forEach(s.pressureCells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            div(c) += (meanFlux(s, velocity, openness, c + unit(axis), axis) - meanFlux(s, velocity, openness, c, axis)) / spacing(s);
        }
    });
    return div;
}

void removeMean(const Step& s, const Field& weights, Numbers& div) {
    double sum = 0.0, count = 0.0;
    const auto forFluid = [&](auto f) {
        forEach(s.pressureCells, [&](ivec3 c) {
            if (weights(c).w > 0.0) f(c);
        });
    };
    forFluid([&](ivec3 c) {
        sum += div(c);
        ++count;
    });
    forFluid([&](ivec3 c) { div(c) -= sum / count; });
}

double neighbourSum(const Step& s, const Field& weights, const Numbers& q, ivec3 c) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const ivec3 below = c - unit(axis), above = c + unit(axis);
        if (below[axis] >= 0) sum += weights(c)[axis] * q(below);
        if (above[axis] < s.pressureCells[axis]) sum += weights(above)[axis] * q(above);
    }
    return sum;
}

Numbers jacobi(const Step& s, const Field& weights, const Numbers& div, const Numbers& q) {
    Numbers next(s.pressureCells);
    forEach(s.pressureCells, [&](ivec3 c) { next(c) = solveCell(s, weights, div, q, c); });
    return next;
}

void redBlackSor(const Step& s, const Field& weights, const Numbers& div, Numbers& q, int colour, double omega) {
    forEach(s.pressureCells, [&](ivec3 c) {
        if ((c.x + c.y + c.z) % 2 != colour) return;
        q(c) += omega * (solveCell(s, weights, div, q, c) - q(c));
    });
}

Residual pressureResidual(const Step& s, const Field& weights, const Numbers& div, const Numbers& q) {
    Residual sums;
    forEach(s.pressureCells, [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        const double b = rightHandSide(s, div, c), r = b - (weights(c).w * q(c) - neighbourSum(s, weights, q, c));
        sums.r2 += r * r;
        sums.b2 += b * b;
        sums.b += b;
        sums.count += 1.0;
    });
    return sums;
}

}  // namespace wisp::reference
