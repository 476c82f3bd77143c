// SPDX-License-Identifier: MIT
// Transfer from particles to the grid, and the liquid's pressure on the grid.
#include "tests/reference/liquid.h"

#include "tests/reference/motion.h"
#include "tests/reference/pressure.h"

#include <glm/geometric.hpp>
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

constexpr double kUnknown = WISP_LIQUID_UNKNOWN;

bool isFluid(const Field& surface, ivec3 c) { return surface.contains(c) && surface(c).x < 0.0; }

double product(dvec3 v) { return v.x * v.y * v.z; }

dvec3 hat(dvec3 d) { return glm::max(1.0 - glm::abs(d), 0.0); }

// None of the 27 cells around c is EMPTY. Beyond open sides all cells are EMPTY.
bool isInside(const Step& s, const Field& surface, const Field& aperture, ivec3 c) {
    bool inside = true;
    forEach(ivec3(3), [&](ivec3 o) {
        const ivec3 near = c + o - 1;
        if (!surface.contains(near)) inside = inside && !beyondOpenSide(s, dvec3(near) + 0.5);
        else if (!isFluid(surface, near) && aperture(near).w > 0.0) inside = false;
    });
    return inside;
}

}  // namespace

double kernel(double d, bool quadratic) {
    const double a = std::abs(d);
    if (!quadratic) return std::max(1.0 - a, 0.0);
    return a < 0.5 ? 0.75 - a * a : a < 1.5 ? 0.5 * (1.5 - a) * (1.5 - a) : 0.0;
}

double slope(double d, bool quadratic) {
    const double a = std::abs(d), sign = d > 0.0 ? 1.0 : -1.0;
    if (!quadratic) return a > 0.0 && a < 1.0 ? -sign : 0.0;
    return a < 0.5 ? -2.0 * d : a < 1.5 ? -sign * (1.5 - a) : 0.0;
}

Transferred toGrid(const Step& s, const Particles& particles, bool quadratic, bool affine) {
    Field sum(faces(s)), weight(faces(s)), count(faces(s)), most(faces(s));
    for (const Particle& p : particles) {
        const dvec3 x(p.place);
        forEach(ivec3(5), [&](ivec3 o) {
            const ivec3 c = ivec3(glm::floor(x)) + o - 2;
            for (int axis = 0; axis < 3; ++axis) {
                if (!faceExists(s, c, axis)) continue;
                const dvec3 d = x - facePoint(c, axis);
                const double w = kernel(d.x, quadratic) * kernel(d.y, quadratic) * kernel(d.z, quadratic);
                const double change = affine ? double(s.h) * glm::dot(dvec3(p.gradient[static_cast<std::size_t>(axis)]), d) : 0.0;
                sum(c)[axis] += w * (p.velocity[axis] - change);
                weight(c)[axis] += w;
                // 1.6 instead of 1.5: a particle outside the kernel's support by a rounding error may still contribute.
                count(c)[axis] += std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) < 1.6 ? 1.0 : 0.0;
                most(c)[axis] = std::max(most(c)[axis], std::abs(p.velocity[axis]) + std::abs(change));
            }
        });
    }
    Transferred result{Field(faces(s)), Field(faces(s), dvec4(kUnknown, kUnknown, kUnknown, 0.0)), Field(faces(s)), Field(faces(s))};
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            // Rounding errors: at most 4 of size 1 per factor, so 3 * 4 + 2 for the product of three factors. One per term of a sum. 8 for
            // a velocity with a gradient.
            const double n = count(c)[axis], w = weight(c)[axis], weightError = (14.0 * n + n * w) * kRounding;
            result.unsure(c)[axis] = n > 0.0 && std::abs(w - 1e-5) < weightError ? 1.0 : 0.0;
            if (w <= 1e-5) continue;
            result.known(c)[axis] = 0.0;
            result.velocity(c)[axis] = sum(c)[axis] / w;
            result.tolerance(c)[axis] = most(c)[axis] * (2.0 * weightError / w + 12.0 * kRounding);
        }
    });
    return result;
}

Density density(const Step& s, const Particles& particles, const Field& aperture, double volume) {
    Numbers sum(s.cells), count(s.cells);
    for (const Particle& p : particles) {
        forEach(ivec3(3), [&](ivec3 o) {
            const ivec3 c = cellOf(s, dvec3(p.place)) + o - 1;
            if (!sum.contains(c)) return;
            sum(c) += product(hat(dvec3(p.place) - dvec3(c) - 0.5));
            count(c) += 1.0;
        });
    }
    Density result{Numbers(s.cells), Numbers(s.cells)};
    forEach(s.cells, [&](ivec3 c) {
        double room = 0.0;
        forEach(ivec3(3), [&](ivec3 o) {
            const ivec3 near = c + o - 1;
            const double open = sum.contains(near) ? aperture(near).w : beyondOpenSide(s, dvec3(near) + 0.5) ? 1.0 : 0.0;
            room += product(glm::mix(dvec3(0.75), dvec3(0.125), glm::notEqual(o, ivec3(1)))) * open;
        });
        const double perSum = volume / std::max(room, 0.125);
        result.density(c) = perSum * sum(c);
        // Rounding errors: two of size 1 per factor and two for the product of three factors. One per term of a sum. 27 terms of `room`.
        result.tolerance(c) = perSum * count(c) * (8.0 + sum(c)) * kRounding +
                              36.0 * kRounding * result.density(c) * std::max(1.0, 1.0 / std::max(room, 0.125));
    });
    return result;
}

namespace {

// Whether the liquid in c moves away from a wall and only q < 0 would keep it there. Second: distance from the opposite decision, relative
// to the size of the terms.
std::pair<bool, double> leavesWall(const Step& s, ivec3 c, const Numbers& density, const Field& aperture, const Field& velocity,
                                   const Numbers& q, const Numbers& div) {
    double fastest = 0.0, inflow = 0.0, shares = 0.0, size = 0.0;
    bool air = false;
    for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {-1, 1}) {
            const ivec3 face = side < 0 ? c : c + unit(axis), near = c + side * unit(axis);
            if (sideOf(s, face, axis) == WISP_WALL) fastest = std::max(fastest, -side * velocity(face)[axis]);
            const double alpha = aperture(face)[axis];
            if (!density.contains(near)) {  // q = 0 on an open side, half a cell away
                air = air || alpha > 0.0;
                shares += 2.0 * alpha;
                continue;
            }
            air = air || (alpha > 0.0 && (density(near) <= 0.5 || aperture(near).w == 0.0));
            inflow += alpha * q(near);
            shares += alpha;
            size += alpha * std::abs(q(near));
        }
    }
    const double h = double(s.h), needed = 0.1 * h * fastest * shares, difference = inflow - h * h * div(c) - needed;
    return {air && fastest > 0.0 && difference < 0.0,
            std::abs(difference) / (size + h * h * 24.0 / h + needed)};  // 24: six fluxes of up to 4 m/s
}

}  // namespace

Field surface(const Step& s, const Numbers& density, const Words& counts, const Field& aperture, const Field& velocity, const Numbers& q) {
    const Numbers div = divergence(s, velocity, aperture);
    const auto isOver = [&](ivec3 c) { return density.contains(c) && aperture(c).w > 0.0 && density(c) > 0.5; };
    Field result(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        const double rho = density(c);
        // Planar surface at -phi above the centre: 1 - rho = (1 + phi)^2 / 2 below the centre, rho = (1 - phi)^2 / 2 above it.
        double phi = rho < 0.5 ? 1.0 - std::sqrt(2.0 * rho) : std::sqrt(2.0 * std::max(1.0 - rho, 0.0)) - 1.0;
        bool fluid = rho > 0.5;
        if (counts(c) > 0) {
            bool alone = true;
            for (int axis = 0; axis < 3; ++axis) alone = alone && !isOver(c + unit(axis)) && !isOver(c - unit(axis));
            fluid = fluid || alone;
        }
        const auto [leaves, margin] = leavesWall(s, c, density, aperture, velocity, q, div);
        fluid = fluid && !leaves;
        phi = fluid ? std::min(phi, -WISP_LIQUID_LEAST) : std::max(phi, WISP_LIQUID_LEAST);
        result(c) = dvec4(aperture(c).w == 0.0 ? 1.0 : phi, rho, leaves ? 1.0 : 0.0, margin < 40.0 * kRounding ? 1.0 : 0.0);
    });
    return result;
}

Extrapolated extrapolate(const Step& s, const Field& velocity, const Field& known, int layer) {
    Extrapolated result{velocity, known};
    for (int axis = 0; axis < 3; ++axis) {
        forEach(s.cells + unit(axis), [&](ivec3 c) {
            if (known(c)[axis] < layer) return;
            double sum = 0.0, weight = 0.0;
            forEach(ivec3(3), [&](ivec3 o) {
                const ivec3 near = c + o - 1, d = o - 1;
                if (d == ivec3(0) || !faceExists(s, near, axis) || known(near)[axis] >= layer) return;
                const double w = 1.0 / (d.x * d.x + d.y * d.y + d.z * d.z);
                sum += w * velocity(near)[axis];
                weight += w;
            });
            if (weight == 0.0) return;
            result.velocity(c)[axis] = sum / weight;
            result.known(c)[axis] = layer;
        });
    }
    return result;
}

Field liquidWeights(const Step& s, const Field& aperture, const Field& surface, bool ghostFluid) {
    Field weights(faces(s));
    for (int axis = 0; axis < 3; ++axis) {
        forEach(s.cells + unit(axis), [&](ivec3 c) {
            const double alpha = aperture(c)[axis];
            weights(c)[axis] = alpha;
            if (sideOf(s, c, axis) == WISP_OPEN) weights(c)[axis] = 2.0 * alpha;
            if (sideOf(s, c, axis) == WISP_WALL) weights(c)[axis] = 0.0;
            if (sideOf(s, c, axis) >= 0 || !ghostFluid || isFluid(surface, c) == isFluid(surface, c - unit(axis))) return;
            const ivec3 fluid = isFluid(surface, c) ? c : c - unit(axis), empty = isFluid(surface, c) ? c - unit(axis) : c;
            const double theta = -surface(fluid).x / (surface(empty).x - surface(fluid).x);  // where phi = 0 between their centres
            weights(c)[axis] = alpha / std::max(theta, WISP_LIQUID_LEAST);
        });
    }
    forEach(s.cells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis)
            if (isFluid(surface, c)) weights(c).w += weights(c)[axis] + weights(c + unit(axis))[axis];
    });
    return weights;
}

Numbers liquidRightHandSide(const Step& s, const Field& velocity, const Field& aperture, const Field& surface) {
    Numbers b = divergence(s, velocity, aperture);
    forEach(s.cells, [&](ivec3 c) { b(c) = isFluid(surface, c) ? -double(s.h) * double(s.h) * b(c) : 0.0; });
    return b;
}

Projected liquidGradient(const Step& s, const Field& weights, const Numbers& q, const Field& velocity, const Field& aperture,
                         const Field& surface) {
    Projected result{Field(faces(s)), Field(faces(s), dvec4(kUnknown, kUnknown, kUnknown, 0.0)), Field(faces(s))};
    const auto pressure = [&](ivec3 c) { return q.contains(c) ? q(c) : 0.0; };
    for (int axis = 0; axis < 3; ++axis) {
        forEach(s.cells + unit(axis), [&](ivec3 c) {
            const double alpha = aperture(c)[axis];
            double& u = result.velocity(c)[axis];
            u = alpha > 0.0 ? velocity(c)[axis] : solidVelocity(s, c, axis);
            result.tolerance(c)[axis] = 2.0 * kRounding * std::abs(u);
            if (alpha == 0.0) {
                if (sideOf(s, c, axis) < 0) return;
                result.known(c)[axis] = 0.0;
                const ivec3 inner = c[axis] == 0 ? c : c - unit(axis);
                if (sideOf(s, c, axis) != WISP_WALL || isFluid(surface, inner) || aperture(inner).w == 0.0) return;
                u = c[axis] == 0 ? std::max(velocity(c)[axis], 0.0)
                                 : std::min(velocity(c)[axis], 0.0);  // it may leave the wall, but not pass it
                result.tolerance(c)[axis] = 0.0;
                return;
            }
            if (!isFluid(surface, c) && !isFluid(surface, c - unit(axis))) return;
            result.known(c)[axis] = 0.0;
            const double change = weights(c)[axis] / alpha * (pressure(c) - pressure(c - unit(axis))) / double(s.h);
            u -= change;
            // Rounding errors: a difference, a product, two quotients of up to 2.5.
            result.tolerance(c)[axis] += 8.0 * kRounding * (std::abs(change) + std::abs(u));
        });
    }
    return result;
}

namespace {

double meanDensity(const Field& surface, const Field& aperture, ivec3 c) {
    double sum = 0.0, weights = 0.0;
    forEach(ivec3(3), [&](ivec3 o) {
        const ivec3 near = c + o - 1;
        if (!surface.contains(near) || aperture(near).w == 0.0) return;
        // 1 at the centre, halved for each cell of offset along each axis.
        const double w = std::exp2(static_cast<double>(-glm::compAdd(glm::abs(o - 1))));
        sum += w * surface(near).y;
        weights += w;
    });
    return sum / weights;
}

}  // namespace

Numbers liquidDensityError(const Step& s, const Field& aperture, const Field& surface, double rate) {
    Numbers b(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        if (!isFluid(surface, c)) return;
        const double own = surface(c).y - 1.0;
        double excess = std::max(own, 0.0);
        if (isInside(s, surface, aperture, c)) {
            const double around = meanDensity(surface, aperture, c) - 1.0;
            excess = own > 0.0 ? std::clamp(around, 0.0, own) : std::clamp(around, own, 0.0);
        }
        excess = std::copysign(std::max(std::abs(excess) - 0.01, 0.0), excess);  // up to 0.01 is noise of the particle positions
        b(c) = double(s.h) * double(s.h) * rate * std::clamp(excess, -0.5, 0.5) * aperture(c).w;
    });
    return b;
}

Field liquidPositionCorrection(const Step& s, const Field& weights, const Numbers& psi, const Field& aperture) {
    Field result(faces(s));
    const auto potential = [&](ivec3 c) { return psi.contains(c) ? psi(c) : 0.0; };
    for (int axis = 0; axis < 3; ++axis) {
        forEach(s.cells + unit(axis), [&](ivec3 c) {
            const double alpha = aperture(c)[axis];
            if (alpha > 0.0) result(c)[axis] = weights(c)[axis] / alpha * (potential(c - unit(axis)) - potential(c)) / double(s.h);
        });
    }
    return result;
}

namespace {

// Rigid-body velocity at x of the nearest obstacle. Sets `unsure` if two obstacles are equally near.
dvec3 nearestMotion(const Step& s, dvec3 x, bool& unsure) {
    int nearest = -1;
    for (int n = 0; n < s.obstacleCount; ++n)
        if (nearest < 0 || signedDistance(s.obstacles[n].shape, x) < signedDistance(s.obstacles[nearest].shape, x)) nearest = n;
    if (nearest < 0) return dvec3(0.0);
    const gpu::ObstacleData& o = s.obstacles[nearest];
    for (int n = 0; n < s.obstacleCount; ++n) {
        const double further = signedDistance(s.obstacles[n].shape, x) - signedDistance(o.shape, x);
        unsure = unsure || (n != nearest && further < 1e-4 * double(s.h));
    }
    return dvec3(o.velocity) + glm::cross(dvec3(o.angularVelocity), x - dvec3(o.shape.centre));
}

// Velocity vector at a face inside the box. The tangential components are means of the four surrounding faces.
dvec3 wholeVelocity(const Field& velocity, ivec3 c, int axis) {
    dvec3 u(0.0);
    for (int other = 0; other < 3; ++other) {
        const ivec3 below = c - unit(axis), e = unit(other);
        u[other] = other == axis
                       ? velocity(c)[axis]
                       : 0.25 * (velocity(c)[other] + velocity(c + e)[other] + velocity(below)[other] + velocity(below + e)[other]);
    }
    return u;
}

}  // namespace

Slipped slip(const Step& s, const Field& velocity, const Field& aperture, const Field& distance, double distanceError) {
    Slipped result{velocity, Field(faces(s)), Field(faces(s))};
    for (int axis = 0; axis < 3; ++axis) {
        forEach(s.cells + unit(axis), [&](ivec3 c) {
            if (aperture(c)[axis] > 0.0 || sideOf(s, c, axis) >= 0) return;
            const dvec3 p = facePoint(c, axis);
            dvec3 gradient;
            for (int a = 0; a < 3; ++a)
                gradient[a] = distance.sample(p + 0.5 * dvec3(unit(a))).x - distance.sample(p - 0.5 * dvec3(unit(a))).x;
            const double length = glm::length(gradient), normalError = 4.0 * distanceError / length + 8.0 * kRounding;
            bool unsure = length < 1e-3;
            const dvec3 n = gradient / length, solid = nearestMotion(s, world(s, p), unsure), u = wholeVelocity(velocity, c, axis);
            const double along = glm::dot(u - solid, n), speed = glm::length(u) + glm::length(solid);
            result.velocity(c)[axis] = u[axis] - n[axis] * along;
            result.tolerance(c)[axis] = 2.0 * speed * (normalError + 16.0 * kRounding);
            result.unsure(c)[axis] = unsure ? 1.0 : 0.0;
        });
    }
    return result;
}

}  // namespace wisp::reference
