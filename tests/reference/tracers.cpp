// SPDX-License-Identifier: MIT
#include "tests/reference/tracers.h"

#include "tests/reference/motion.h"
#include "tests/reference/path.h"

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <array>
#include <cmath>

namespace wisp::reference {
namespace {

// Values of the lattice: PCG in three dimensions (Jarzynski, Olano 2020), uniform in [-1, 1].
dvec3 latticeValue(ivec3 at, int seed) {
    std::array<std::uint32_t, 3> v{};
    const auto mix = [&] {
        v[0] += v[1] * v[2];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
    };
    for (std::size_t a = 0; a < 3; ++a)
        v[a] = (static_cast<std::uint32_t>(at[static_cast<int>(a)]) + static_cast<std::uint32_t>(seed) * 7919u) * 1664525u + 1013904223u;
    mix();
    for (std::uint32_t& x : v) x ^= x >> 16;
    mix();
    return dvec3(v[0] >> 8, v[1] >> 8, v[2] >> 8) * (2.0 / 16777215.0) - 1.0;
}

dvec3 velocityAt(const Step& s, const Field& velocity, dvec3 p) {  // [cells/s]
    dvec3 u(0.0);
    for (int axis = 0; axis < axes(s); ++axis) u[axis] = component(s, velocity, p, axis) / double(s.h);
    return u;
}

// Two Newton steps along the gradient, which is computed from differences over one cell. Gradients below 1/2 count as 1/2.
dvec3 outOfObstacles(const Step& s, const Field& distance, dvec3 p) {
    for (int n = 0; n < 2; ++n) {
        const double phi = obstacleAt(s, distance, p);
        if (phi >= 0.0) break;
        dvec3 gradient(0.0);
        for (int axis = 0; axis < axes(s); ++axis)
            gradient[axis] = obstacleAt(s, distance, p + 0.5 * dvec3(unit(axis))) - obstacleAt(s, distance, p - 0.5 * dvec3(unit(axis)));
        p -= phi * gradient / std::max(glm::dot(gradient, gradient), 0.25);
    }
    return p;
}

}  // namespace

double obstacleAt(const Step& s, const Field& distance, dvec3 p) {
    return s.obstacleCount > 0 ? distance.sample(p, period(s, s.cells)).x : WISP_FAR_CELLS;
}

Moved born(const Step& s, const gpu::TracersPush& push, const Field& distance, std::uint32_t n, double left, TracerErrors errors) {
    Moved result{.tracer = dvec4(0.0), .born = true, .sure = true, .error = 32.0 * 6e-8};
    for (std::uint32_t tries = 0; tries < 4; ++tries) {
        dvec3 p = dvec3(uniform4(n, push.step, push.seed, tries)) * dvec3(s.cells);
        if (isFlat(s)) p.z = 0.5;
        const double phi = obstacleAt(s, distance, p);
        result.sure = result.sure && std::abs(phi) > errors.phi;
        if (phi <= 0.0) continue;
        result.tracer = dvec4(p, left);
        break;
    }
    return result;
}

Moved moveTracer(const Step& s, const gpu::TracersPush& push, const Field& velocity, const Field& distance, std::uint32_t n, dvec4 tracer,
                 TracerErrors errors) {
    const double dt = double(s.dt);
    const dvec3 from = dvec3(tracer) - dvec3(push.scrolled), middle = from + 0.5 * dt * velocityAt(s, velocity, from);
    const dvec3 to = from + dt * velocityAt(s, velocity, middle);
    dvec3 p = outOfObstacles(s, distance, to);
    // Error of each of the two Newton steps: a distance divided by a slope above 1/2, plus slopes (differences of two distances) times a
    // displacement of up to two cells.
    const double error = errors.place + (p == to ? 0.0 : 2.0 * 10.0 * errors.phi);
    bool lives = tracer.w > dt, sure = std::abs(tracer.w - dt) > 1e-6;
    for (int a = 0; a < 3; ++a) {
        const double cells = s.cells[a];
        if ((periodicAxes(s) >> a & 1) != 0) p[a] -= cells * std::floor(p[a] / cells);
        lives = lives && p[a] >= 0.0 && p[a] <= cells;  // false for NaN
        sure = sure && std::abs(p[a]) > error && std::abs(p[a] - cells) > error;
    }
    const double phi = obstacleAt(s, distance, lives ? p : dvec3(0.0));
    lives = lives && phi >= -0.05;
    sure = sure && std::abs(phi + 0.05) > errors.phi + 2.0 * error;
    if (lives) return {dvec4(p, tracer.w - dt), false, sure, error};
    Moved result = born(s, push, distance, n, double(push.lifetime), errors);
    result.sure = result.sure && sure;
    return result;
}

dvec3 smoothNoise(dvec3 x, ivec3 origin, int seed) {
    const dvec3 low = glm::floor(x), f = x - low;
    const dvec3 share = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    dvec3 sum(0.0);
    forEach(ivec3(2), [&](ivec3 o) {
        const dvec3 w = glm::mix(1.0 - share, share, dvec3(o));
        sum += w.x * w.y * w.z * latticeValue(origin + ivec3(low) + o, seed);
    });
    return 2.4973 * sum;  // sqrt(3 / (181/231)^3); 181/231 is the mean of the sum of squared weights along an axis
}

dvec3 ambientFlow(const gpu::AmbientFlow& air, dvec3 p) {
    return dvec3(air.wind) + double(air.gust) * smoothNoise(dvec3(air.beyond) + p * double(air.perCell), air.lattice, air.seed);
}

}  // namespace wisp::reference
