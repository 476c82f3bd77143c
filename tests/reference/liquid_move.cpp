// SPDX-License-Identifier: MIT
// Transfer from the grid to particles, particle motion, and sums over both.
#include "tests/reference/liquid.h"
#include "tests/reference/motion.h"
#include "tests/reference/pressure.h"
#include "tests/reference/tracers.h"

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

constexpr double kFromWall = 1e-3, kInside = -0.05;  // [cells]

// Texel coordinate of a component at p, relative to the centre of the first texel. The tangential coordinates are clamped to the cell
// centres.
dvec3 texelOf(const Step& s, dvec3 p, int axis) {
    dvec3 t = glm::clamp(p, dvec3(0.5), dvec3(s.cells) - 0.5) - 0.5;
    t[axis] = p[axis];
    return t;
}

// Calls f(face, offset from it) for the faces of an axis within the kernel's support.
template <class F>
void forFacesAround(const Step& s, dvec3 p, int axis, F&& f) {
    const dvec3 t = texelOf(s, p, axis);
    forEach(ivec3(5), [&](ivec3 o) {
        const ivec3 face = ivec3(glm::floor(t)) + o - 2;
        f(glm::clamp(face, ivec3(0), s.cells - 1 + unit(axis)), t - dvec3(face));
    });
}

bool isKnown(const Step& s, const Field& known, dvec3 p) {
    const dvec4 layers = known(glm::clamp(ivec3(glm::floor(p)), ivec3(0), s.cells - 1));
    return std::max({layers.x, layers.y, layers.z}) < WISP_LIQUID_UNKNOWN;
}

// Path of a particle, with a bound of its rounding error.
class ParticlePath {
public:
    ParticlePath(const Step& s, const Field& velocity, const Field& known, const Field& distance, dvec3 own, bool quadratic,
                 MoveErrors errors)
        : s_(s), velocity_(velocity), known_(known), distance_(distance), own_(own), quadratic_(quadratic), errors_(errors) {}

    dvec3 p{0.0};
    double error = 0.0;
    bool sure = true;

    void substep(double dt, bool thirdOrder) {
        const dvec3 a = velocityAt(p), b = velocityAt(p + 0.5 * dt * a), c = thirdOrder ? velocityAt(p + 0.75 * dt * b) : dvec3(0.0);
        // Each sample has its own error and the error of its position, to which the previous sample contributes. With g = dt |grad u|, an
        // initial error grows by the factor 1 + g + g^2 / 2 (+ g^3 / 6), which is below exp(g).
        const double perStep = dt / double(s_.h), grows = std::exp(perStep * errors_.steep), sample = perStep * errors_.sample;
        error = error * grows + sample * grows + 8.0 * 32.0 * kRounding;
        p += dt * (thirdOrder ? (2.0 * a + 3.0 * b + 4.0 * c) / 9.0 : b);
        leaveObstacles();
        stayInside();
    }
    // Moves by at most one cell, in a single step. Shortening the vector does not increase its length error, but may turn an error along
    // three axes into one along a single axis.
    void positionCorrection(dvec3 cells, double wrong) {
        p += cells / std::max(glm::length(cells), 1.0);
        error += std::sqrt(3.0) * wrong + 8.0 * 32.0 * kRounding;
        leaveObstacles();
        stayInside();
    }
    double phi(dvec3 at) { return obstacleAt(s_, distance_, at); }

private:
    dvec3 velocityAt(dvec3 at) {
        const bool is = isKnown(s_, known_, at);
        // `known` may differ across a cell border.
        for (int corner = 0; corner < 8; ++corner)
            sure = sure && is == isKnown(s_, known_, at + (error + 1e-5) * (2.0 * dvec3(corner & 1, corner >> 1 & 1, corner >> 2) - 1.0));
        if (!is) return own_ / double(s_.h);
        dvec3 u;
        for (int axis = 0; axis < 3; ++axis) u[axis] = atParticle(s_, velocity_, at, axis, quadratic_) / double(s_.h);
        return u;
    }
    // Newton's method, four times at most.
    void leaveObstacles() {
        for (int n = 0; n < 4; ++n) {
            const double now = phi(p);
            sure = sure && std::abs(now) > errors_.phi + 2.0 * error;
            if (now >= 0.0) return;
            // Slopes sample half a cell further. A cell outside the box the GPU looks for no obstacle, so slopes differ there. Walls clamp
            // the position only afterwards.
            sure = sure && glm::all(glm::greaterThan(p, dvec3(error - 0.5))) && glm::all(glm::lessThan(p, dvec3(s_.cells) + 0.5 - error));
            dvec3 gradient;
            for (int a = 0; a < 3; ++a) gradient[a] = phi(p + 0.5 * dvec3(unit(a))) - phi(p - 0.5 * dvec3(unit(a)));
            const double square = glm::dot(gradient, gradient);
            p -= now * gradient / std::max(square, 0.25);
            // The error of a distance over a slope above 1/2, plus the error of slopes (differences of two distances) times the
            // displacement, as for tracers. Four times the position's error, because the displacement may change direction.
            error = 4.0 * error + 10.0 * errors_.phi * std::max(1.0, std::abs(now));
        }
    }
    void stayInside() {
        for (int a = 0; a < 3; ++a) {
            const double low = s_.sidesLow[a] == WISP_WALL ? kFromWall : -1.0,
                         high = s_.cells[a] - (s_.sidesHigh[a] == WISP_WALL ? kFromWall : -1.0);
            p[a] = std::clamp(p[a], low, high);
        }
    }

    const Step& s_;
    const Field &velocity_, &known_, &distance_;
    dvec3 own_;
    bool quadratic_;
    MoveErrors errors_;
};

}  // namespace

double atParticle(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic) {
    double sum = 0.0;
    forFacesAround(s, p, axis, [&](ivec3 face, dvec3 d) {
        sum += kernel(d.x, quadratic) * kernel(d.y, quadratic) * kernel(d.z, quadratic) * velocity(face)[axis];
    });
    return sum;
}

dvec3 gradientAt(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic) {
    dvec3 sum(0.0);
    forFacesAround(s, p, axis, [&](ivec3 face, dvec3 d) {
        const dvec3 w(kernel(d.x, quadratic), kernel(d.y, quadratic), kernel(d.z, quadratic));
        sum += velocity(face)[axis] *
               dvec3(slope(d.x, quadratic) * w.y * w.z, w.x * slope(d.y, quadratic) * w.z, w.x * w.y * slope(d.z, quadratic));
    });
    return sum / double(s.h);
}

MovedParticle moveParticle(const Step& s, const Particle& particle, const Field& velocity, const Field& before, const Field& known,
                           const Field& distance, const Field& positionCorrection, const gpu::LiquidMove& push, bool quadratic, bool affine,
                           MoveErrors errors) {
    const dvec3 start(particle.place);
    dvec3 after, earlier, wider;
    MovedParticle result{.particle = particle};
    for (int axis = 0; axis < 3; ++axis) {
        after[axis] = atParticle(s, velocity, start, axis, quadratic);
        earlier[axis] = atParticle(s, before, start, axis, quadratic);
        wider[axis] = atParticle(s, positionCorrection, start, axis, quadratic);
        if (affine) result.particle.gradient[static_cast<std::size_t>(axis)] = dvec4(gradientAt(s, velocity, start, axis, quadratic), 0.0);
    }
    const double flip = affine ? 0.0 : double(push.flip);
    const dvec3 u = flip * (dvec3(particle.velocity) + after - earlier) + (1.0 - flip) * after;
    result.particle.velocity = dvec4(u, 0.0);
    result.cells = std::max(glm::length(after), glm::length(u)) * double(s.dt) / double(s.h);
    const double substeps = std::clamp(std::ceil(result.cells), 1.0, 16.0);
    errors.sample *= 3.0;  // the particle's own velocity combines three samples
    ParticlePath path(s, velocity, known, distance, u, quadratic, errors);
    path.p = start;
    for (int n = 0; n < static_cast<int>(substeps); ++n) path.substep(double(s.dt) / substeps, push.thirdOrder != 0);
    const double perSpeed = double(s.dt) / double(s.h);
    path.positionCorrection(perSpeed * wider, perSpeed * errors.positionCorrection);
    const double end = path.phi(path.p), begin = path.phi(start);
    if (end < kInside && begin >= kInside) path.p = start;
    result.sure = path.sure && std::abs(end - kInside) > errors.phi + 2.0 * path.error && std::abs(begin - kInside) > errors.phi &&
                  std::abs(result.cells - std::round(result.cells)) > 1e-5;
    result.error = path.error;
    for (int a = 0; a < 3; ++a) {  // walls keep it inside, whatever the error of its position
        result.sure = result.sure && (s.sidesLow[a] == WISP_WALL || std::abs(path.p[a]) > path.error);
        result.sure = result.sure && (s.sidesHigh[a] == WISP_WALL || std::abs(path.p[a] - s.cells[a]) > path.error);
    }
    result.particle.place = dvec4(path.p, isInBox(s, path.p) ? 1.0 : 0.0);
    return result;
}

std::array<double, 8> measureLiquid(const Step& s, const Particles& particles, const Field& distance, dvec3 gravity) {
    std::array<double, 8> sums{};
    for (const Particle& p : particles) {
        const dvec3 u(p.velocity);
        if (!isSound(p)) {
            sums[4] += 1.0;
            continue;
        }
        sums[0] += 1.0;
        sums[1] += 0.5 * glm::dot(u, u);
        sums[2] -= double(s.h) * glm::dot(gravity, dvec3(p.place));
        sums[3] += obstacleAt(s, distance, dvec3(p.place)) < 2.0 * kInside ? 1.0 : 0.0;
        sums[7] = std::max(sums[7], glm::length(u));
    }
    return sums;
}

std::array<double, 8> measureSurface(const Step& s, const Field& velocity, const Field& aperture, const Field& surface) {
    std::array<double, 8> sums{};
    const Numbers div = divergence(s, velocity, aperture);
    const auto isEmpty = [&](ivec3 c) { return surface.contains(c) && surface(c).x >= 0.0 && aperture(c).w > 0.0; };
    forEach(s.cells, [&](ivec3 c) {
        const double phi = surface(c).x;
        bool beside = false;
        for (int axis = 0; axis < 3; ++axis) beside = beside || isEmpty(c + unit(axis)) || isEmpty(c - unit(axis));
        sums[0] += aperture(c).w * (phi < 0.0 && !beside ? 1.0 : std::clamp(0.5 - phi, 0.0, 1.0));
        if (phi >= 0.0) return;
        sums[1] += div(c) * div(c);
        sums[2] += 1.0;
        sums[6] = std::max(sums[6], std::abs(div(c)));
    });
    return sums;
}

}  // namespace wisp::reference
