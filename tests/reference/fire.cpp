// SPDX-License-Identifier: MIT
#include "tests/reference/fire.h"

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

// Fuel that is left of `fuel` after a step.
double left(const gpu::FirePush& push, double fuel) {
    const double decay = std::exp(-double(push.burnt));
    if (push.mixing == WISP_PREMIXED) return fuel * decay;
    if (fuel == 1.0) return 1.0;
    const double ratio = fuel / (1.0 - fuel) * std::pow(decay, 4.0);  // the logistic equation moves the ratio to air
    return ratio / (1.0 + ratio);
}

// Solution of dT/dt = -c T^4 after a step.
double radiated(const gpu::FirePush& push, double T) { return T <= 0.0 ? T : std::cbrt(1.0 / (1.0 / (T * T * T) + double(push.cooled))); }

// Divergence of the sampled flow in the middle of the path of a scalar cell.
double flowDivergence(const Step& s, const Field& velocity, const Field& back, ivec3 c) {
    const dvec3 p = scalarPoint(s, c), middle = p + 0.5 * dvec3(back.sample(p, period(s, s.cells)));
    double sum = 0.0;
    for (const double side : {-0.5, 0.5}) {
        dvec3 at = middle + side;
        for (int a = 0; a < 3; ++a) {
            const double n = s.cells[a];
            at[a] = s.sidesLow[a] == WISP_PERIODIC ? 0.5 + (at[a] - 0.5) - n * std::floor((at[a] - 0.5) / n)
                                                   : std::clamp(at[a], 0.5, n - 0.5);
        }
        sum += 0.5 * velocity.sample(at).w;
    }
    return sum;
}

double density(const gpu::FirePush& push, double T) { return double(push.ambient) / std::max(double(push.ambient) + T, 1.0); }

}  // namespace

Burnt react(const Step& s, const gpu::FirePush& push, const Field& aperture, const Field& velocity, const Field& back, const Field& scalars,
            const Field& colours, const std::function<bool(ivec3)>& isReached) {
    Burnt result{scalars, colours};
    forEach(s.scalarCells, [&](ivec3 c) {
        if (!isReached(c)) return;
        dvec4& v = result.scalars(c);
        if (v == dvec4(0.0)) return;
        const bool solid = aperture(c / s.scalarRatio).w == 0.0;
        const double T = v.y, fuel = v.z;
        double burnt = 0.0, hot = T;
        if (!solid && T >= double(push.ignition)) burnt = fuel - left(push, fuel);
        if (!solid) hot = radiated(push, T + double(push.heat) * burnt);
        const double D = double(push.expansion) * std::log(density(push, T) / density(push, hot)) / double(s.dt),
                     thin = std::exp(-double(s.dt) * flowDivergence(s, velocity, back, c));
        v = {thin * v.x + double(push.soot) * burnt, hot, fuel - burnt, D};
        result.colours(c) = thin * result.colours(c) + dvec4(push.sootColour) * burnt;
    });
    return result;
}

std::array<double, 4> measureFire(const Step& s, const gpu::FirePush& push, const Field& aperture, const Field& scalars) {
    std::array<double, 4> sums{};
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec4 v = scalars(c);
        if (!std::isfinite(v.z)) sums[2] += 1.0;
        if (aperture(c / s.scalarRatio).w == 0.0) return;
        const double fuel = density(push, v.y) * v.z, k = double(push.burnt) / double(s.dt);
        sums[0] += fuel;
        if (v.y >= double(push.ignition)) sums[1] += push.mixing == WISP_PREMIXED ? k * fuel : 4.0 * k * fuel * (1.0 - v.z);
        sums[3] = std::max(sums[3], v.y);
    });
    return sums;
}

std::array<double, 2> measureExpansion(const Step& s, const Field& velocity, const Field& aperture) {
    std::array<double, 2> sums{};
    forEach(s.cells, [&](ivec3 c) {
        sums[1] += velocity(c).w;
        for (int axis = 0; axis < axes(s); ++axis) {
            if (s.sidesLow[axis] == WISP_PERIODIC) continue;
            const ivec3 above = c + unit(axis);
            if (c[axis] == 0) sums[0] -= velocity(c)[axis] * aperture(c)[axis];
            if (above[axis] == s.cells[axis]) sums[0] += velocity(above)[axis] * aperture(above)[axis];
        }
    });
    return sums;
}

}  // namespace wisp::reference
