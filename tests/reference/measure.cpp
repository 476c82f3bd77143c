// SPDX-License-Identifier: MIT
#include "tests/reference/measure.h"

#include "tests/reference/motion.h"
#include "tests/reference/pressure.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {

Measures measureCoarse(const Step& s, const Field& velocity, const Field& aperture, const Field& weights) {
    Measures r{};
    const Numbers div = divergence(s, velocity, aperture);
    forEach(s.pressureCells, [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        r[0] += div(c) * div(c);
        r[1] += 1.0;
        r[6] = std::max(r[6], std::abs(div(c)));
    });
    return r;
}

Measures measureFine(const Step& s, const Field& velocity, const Field& aperture, const Field& after) {
    Measures r{};
    Step fine = s;
    fine.ratio = 1;
    fine.pressureCells = s.cells;
    const Numbers div = divergence(fine, velocity, aperture);
    forEach(s.cells, [&](ivec3 c) {
        const dvec4 v = after(c);
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) r[3] += 1.0;
        if (aperture(c).w == 0.0) return;
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

Measures measureScalars(const Step& s, const Field& scalars, const Field& aperture) {
    Measures r{};
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec4 v = scalars(c);
        r[aperture(c / s.scalarRatio).w == 0.0 ? 1 : 0] += v.x;
        if (!std::isfinite(v.x)) r[2] += 1.0;
        if (!std::isfinite(v.y)) r[3] += 1.0;
    });
    return r;
}

Measures measureMomentum(const Step& s, const Field& velocity, const Field& aperture) {
    Measures r{};
    forEach(s.cells, [&](ivec3 c) {
        for (int a = 0; a < axes(s); ++a) {
            const bool periodic = (periodicAxes(s) >> a & 1) != 0;
            for (const int side : {0, 1}) {
                ivec3 face = c + side * unit(a);
                const bool last = face[a] == s.cells[a];
                if (last && periodic) face[a] = 0;
                const double flow = aperture(face)[a] * velocity(face)[a];
                r[static_cast<std::size_t>(a)] += 0.5 * flow;
                if (periodic || !(side == 0 ? c[a] == 0 : last)) continue;
                for (int b = 0; b < axes(s); ++b) {
                    ivec3 beside = c + unit(b);
                    if (beside[b] == s.cells[b] && (periodicAxes(s) >> b & 1) != 0) beside[b] = 0;
                    const double u = b == a ? velocity(face)[a] : 0.5 * (velocity(c)[b] + velocity(beside)[b]);
                    r[static_cast<std::size_t>(3 + b)] += (side == 0 ? -flow : flow) * u;
                }
            }
        }
    });
    return r;
}

Measures measureAcceleration(const Step& s, const Field& acceleration, const Field& aperture) {
    Measures r{};
    forEach(s.cells, [&](ivec3 c) {
        for (int a = 0; a < axes(s); ++a) {
            ivec3 high = c + unit(a);
            if (high[a] == s.cells[a] && (periodicAxes(s) >> a & 1) != 0) high[a] = 0;
            r[static_cast<std::size_t>(a)] += 0.5 * (aperture(c)[a] + aperture(high)[a]) * acceleration(c)[a];
        }
    });
    return r;
}

Measures bodyPressure(const Step& s, const Field& aperture, const Numbers& q, const Numbers& potential, int body, double factor) {
    Measures result{};
    const double h = double(s.h);
    forEach(s.pressureCells, [&](ivec3 C) {
        const ivec3 low = C * s.ratio, high = glm::min(low + s.ratio, s.cells);
        dvec3 middle = dvec3(low) + 0.5 * s.ratio;
        if (isFlat(s)) middle.z = 0.5;
        const NearestBody o = nearestBody(s, world(s, middle));
        if (o.index != body) return;
        // The pressure of a cell, or a block of cells, on the closed parts of its faces.
        const auto add = [&](ivec3 begin, ivec3 end, double pressure) {
            for (int axis = 0; axis < axes(s); ++axis)
                for (const int side : {0, 1}) {
                    ivec3 first = begin, last = end;
                    first[axis] = side == 0 ? begin[axis] : end[axis];
                    last[axis] = first[axis] + 1;
                    forEach(last - first, [&](ivec3 step) {
                        const ivec3 face = first + step;
                        const dvec3 x = world(s, facePoint(face, axis));
                        // Aperture accounts for walls and inflows, but not for the part that an obstacle covers.
                        const double open = sideOf(s, face, axis) > WISP_OPEN ? std::clamp(0.5 + nearestBody(s, x).distance / h, 0.0, 1.0)
                                                                              : aperture(face)[axis];
                        const dvec3 force = factor * pressure * h * h * open * (side == 0 ? 1.0 : -1.0) * dvec3(unit(axis)),
                                    torque = glm::cross(o.r + x - world(s, middle), force);
                        for (int n = 0; n < 3; ++n) {
                            result[n] += force[n];
                            result[3 + n] += torque[n];
                        }
                    });
                }
        };
        add(low, high, q(C));
        if (s.ratio == 1) return;
        forEach(high - low, [&](ivec3 c) { add(low + c, low + c + 1, -h * potential(low + c)); });
    });
    return result;
}

Measures bodyFriction(const Step& s, const Field& distance, const Field& velocity, int body, double factor, double amount) {
    Measures result{};
    const Field after = diffuse(s, velocity, distance, amount);
    const ivec3 around = period(s, s.cells);
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < axes(s); ++axis) {
            if (!faceExists(s, c, axis) || sideOf(s, c, axis) >= 0 || (around[axis] > 0 && c[axis] == around[axis])) continue;
            const double phi = faceDistance(s, distance, c, axis);
            if (phi <= 0.0) continue;
            for (int along = 0; along < axes(s); ++along)
                for (const int step : {-1, 1}) {
                    ivec3 inside = c + step * unit(along);
                    if (around[along] > 0) inside[along] = (inside[along] + around[along]) % around[along];
                    if (!faceExists(s, inside, axis) || sideOf(s, inside, axis) >= 0) continue;
                    const double there = faceDistance(s, distance, inside, axis);
                    if (there > 0.0) continue;
                    const NearestBody o = nearestBody(s, world(s, facePoint(inside, axis)));
                    if (o.index != body) continue;
                    const dvec3 force = factor * double(s.h) * nearness(phi, there) *
                                        (after(c)[axis] - velocityOfBody(s, o, -step * double(s.h) * dvec3(unit(along)))[axis]) *
                                        dvec3(unit(axis));
                    const dvec3 torque = glm::cross(o.r - (1.0 - 1.0 / nearness(phi, there)) * step * double(s.h) * dvec3(unit(along)),
                                                    force);
                    for (int n = 0; n < 3; ++n) {
                        result[n] += force[n];
                        result[3 + n] += torque[n];
                    }
                }
        }
    });
    return result;
}

}  // namespace wisp::reference
