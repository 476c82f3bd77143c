// SPDX-License-Identifier: MIT
#include "tests/reference/pressure.h"

namespace wisp::reference {
namespace {

double spacing(const Step& s) { return s.ratio * double(s.h); }

// Mean flux through r^2 fine faces: fluid velocity on the open fraction, solid velocity on the rest.
double meanFlux(const Step& s, const Field& velocity, const Field& aperture, ivec3 coarse, int axis) {
    double sum = 0.0;
    forFineFaces(s, coarse, axis, [&](ivec3 f) {
        const double alpha = aperture(f)[axis];
        sum += alpha * velocity(f)[axis] + (1.0 - alpha) * solidVelocity(s, f, axis);
    });
    return sum / (s.ratio * s.ratio);
}

double solveCell(const Field& weights, const Numbers& b, const Numbers& q, ivec3 c, int periodic) {
    if (weights(c).w == 0.0) return 0.0;
    return (b(c) + neighbourSum(weights, q, c, periodic)) / weights(c).w;
}

}  // namespace

Numbers divergence(const Step& s, const Field& velocity, const Field& aperture) {
    Numbers div(s.pressureCells);
    forEach(s.pressureCells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            div(c) += (meanFlux(s, velocity, aperture, c + unit(axis), axis) - meanFlux(s, velocity, aperture, c, axis)) / spacing(s);
        }
    });
    const ivec3 block(s.ratio, s.ratio, isFlat(s) ? 1 : s.ratio);  // a pressure cell, in fine cells
    forEach(s.cells, [&](ivec3 c) { div(c / block) -= velocity(c).w / (block.x * block.y * block.z); });
    return div;
}

bool isRegular(const Field& weights, ivec3 c, int axes) {
    const ivec3 cells = weights.size() - 1;
    for (int axis = 0; axis < axes; ++axis)
        if (c[axis] == 0 || c[axis] + 1 == cells[axis] || weights(c)[axis] != 1.0 || weights(c + unit(axis))[axis] != 1.0) return false;
    return true;
}

Numbers rightHandSide(const Step& s, const Field& velocity, const Field& aperture) {
    Numbers b = divergence(s, velocity, aperture);
    for (double& v : b.values()) v *= -spacing(s) * spacing(s);
    return b;
}

void removeMean(const Field& weights, Numbers& values) {
    double sum = 0.0, count = 0.0;
    const auto forFluid = [&](auto f) {
        forEach(values.size(), [&](ivec3 c) {
            if (weights(c).w > 0.0) f(c);
        });
    };
    forFluid([&](ivec3 c) {
        sum += values(c);
        ++count;
    });
    forFluid([&](ivec3 c) { values(c) -= sum / count; });
}

double neighbourSum(const Field& weights, const Numbers& q, ivec3 c, int periodic) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 below = c - unit(axis), above = c + unit(axis);
        const double low = weights(c)[axis], high = weights(above)[axis];
        if (const int n = q.size()[axis]; (periodic >> axis & 1) != 0) {
            if (n == 1) continue;
            below[axis] = (below[axis] + n) % n;
            above[axis] %= n;
        }
        if (q.contains(below)) sum += low * q(below);
        if (q.contains(above)) sum += high * q(above);
    }
    return sum;
}

Numbers applied(const Field& weights, const Numbers& q, int periodic) {
    Numbers result(q.size());
    forEach(q.size(), [&](ivec3 c) {
        if (weights(c).w > 0.0) result(c) = weights(c).w * q(c) - neighbourSum(weights, q, c, periodic);
    });
    return result;
}

Numbers jacobi(const Field& weights, const Numbers& b, const Numbers& q, int periodic) {
    Numbers next(q.size());
    forEach(q.size(), [&](ivec3 c) { next(c) = solveCell(weights, b, q, c, periodic); });
    return next;
}

int colours(ivec3 cells, int periodic) {
    for (int a = 0; a < 3; ++a) {
        if ((periodic >> a & 1) != 0 && cells[a] % 2 == 1 && cells[a] > 1) return 3;
    }
    return 2;
}

void redBlackSor(const Field& weights, const Numbers& b, Numbers& q, int colour, double omega, int periodic) {
    const int count = colours(q.size(), periodic);
    forEach(q.size(), [&](ivec3 c) {
        int sum = 0;
        for (int a = 0; a < 3; ++a) {
            const bool lastOfOdd = (periodic >> a & 1) != 0 && q.size()[a] % 2 == 1 && q.size()[a] > 1 && c[a] + 1 == q.size()[a];
            sum += lastOfOdd ? 2 : c[a] % 2;
        }
        if (sum % count != colour) return;
        q(c) += omega * (solveCell(weights, b, q, c, periodic) - q(c));
    });
}

Residual pressureResidual(const Field& weights, const Numbers& b, const Numbers& q, int periodic) {
    Residual sums;
    const Numbers Aq = applied(weights, q, periodic);
    forEach(q.size(), [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        const double r = b(c) - Aq(c);
        sums.r2 += r * r;
        sums.b2 += b(c) * b(c);
        sums.b += b(c);
        sums.count += 1.0;
        sums.q += q(c);
    });
    return sums;
}

}  // namespace wisp::reference
