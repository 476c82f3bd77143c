// SPDX-License-Identifier: MIT
// Order of cut cells: one projection of a uniform stream past a sphere against potential flow.
#include "compute/domain/obstacles_push.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/pressure.h"
#include "tests/support/verification.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

class PassPotential : public PassTest {
protected:
    static constexpr double kRadius = 0.2;  // in a box with edges of 1

    // Flow with U = (1, 0, 0) past a sphere, at x relative to its centre. The speed at the equator is 3/2.
    static dvec3 potentialFlow(dvec3 x) {
        const double r = glm::length(x), k = std::pow(kRadius / r, 3.0) / 2.0;
        return dvec3(1.0, 0.0, 0.0) * (1.0 + k) - 3.0 * k * x.x / (r * r) * x;
    }
    dvec3 fromCentre(ivec3 face, int axis) const { return world(step, facePoint(face, axis)) - dvec3(step.obstacles[0].shape.centre); }

    // rms error of the projected velocity on faces between 1.5 and 2 radii from the centre.
    double error(int n) {
        step = makeStep({.cells = ivec3(n), .obstacles = false});
        step.origin = glm::vec3(0.0f);
        step.h = 1.0f / static_cast<float>(n);
        step.sidesLow = step.sidesHigh = ivec3(WISP_INFLOW);
        step.obstacleCount = 1;
        step.obstacles[0].shape = {{0.503f, 0.497f, 0.501f}, WISP_SPHERE, {}, static_cast<float>(kRadius), {0, 0, 0, 1}};
        const engine::Image openImage = target(faces(step), VK_FORMAT_R8G8B8A8_UNORM);
        const engine::Image distance = target(step.cells, VK_FORMAT_R16_SFLOAT);
        pass("obstacles", faces(step),
             {{"aperture", openImage}, {"distanceOut", distance}, {"solidVelocityOut", target(faces(step), VK_FORMAT_R32G32B32A32_SFLOAT)}},
             ObstaclesPush{ivec3(0), ivec3(0), faces(step)});
        const Field open = fromGpu(openImage);
        const Field weights = coarseAperture(step, open);
        return errorOf(open, solve(weights, rightHandSide(open, weights)));
    }

private:
    // Divergence of the stream with potential flow on the sides of the box, minus its mean over the fluid.
    Numbers rightHandSide(const Field& open, const Field& weights) {
        Numbers div(step.cells);
        double sum = 0.0, count = 0.0;
        forEach(step.cells, [&](ivec3 c) {
            if (weights(c).w == 0.0) return;
            for (int axis = 0; axis < 3; ++axis) {
                for (const int high : {0, 1}) {
                    const ivec3 f = c + high * unit(axis);
                    const double u = sideOf(step, f, axis) >= 0 ? potentialFlow(fromCentre(f, axis))[axis]
                                     : axis == 0                ? open(f)[axis]
                                                                : 0.0;
                    div(c) += (2 * high - 1) * u / double(step.h);
                }
            }
            sum += div(c);
            count += 1.0;
        });
        forEach(step.cells, [&](ivec3 c) {
            if (weights(c).w > 0.0) div(c) -= sum / count;
        });
        return div;
    }
    // Solves the equation of red_black_sor in double precision, because only the aperture is tested here.
    Numbers solve(const Field& weights, const Numbers& div) {
        const int n = step.cells.x;
        // For sides without flow the slowest wave spans the box along one axis.
        const double omega = 2.0 / (1.0 + glm::pi<double>() / (std::sqrt(3.0) * n)), h2 = double(step.h) * double(step.h);
        Numbers q(step.cells);
        for (int sweep = 0; sweep < 5 * n; ++sweep) {
            forEach(step.cells, [&](ivec3 c) {
                const dvec4& w = weights(c);
                if (w.w == 0.0) return;
                double sum = -h2 * div(c);
                for (int axis = 0; axis < 3; ++axis) {
                    const ivec3 e = unit(axis);
                    if (c[axis] > 0) sum += w[axis] * q(c - e);
                    if (c[axis] + 1 < n) sum += weights(c + e)[axis] * q(c + e);
                }
                q(c) += omega * (sum / w.w - q(c));
            });
        }
        return q;
    }
    double errorOf(const Field& open, const Numbers& q) {
        double squares = 0.0, count = 0.0;
        forEach(step.cells, [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                const dvec3 x = fromCentre(c, axis);
                if (glm::length(x) < 1.5 * kRadius || glm::length(x) > 2.0 * kRadius) continue;
                const double u = (axis == 0 ? 1.0 : 0.0) - (q(c) - q(c - unit(axis))) / double(step.h);
                squares += std::pow(u - potentialFlow(x)[axis], 2.0);
                count += 1.0;
                EXPECT_EQ(open(c)[axis], 1.0);  // the shell is clear of the sphere
            }
        });
        return std::sqrt(squares / count);
    }
};

// A sphere of voxels has errors of 0.021, 0.010 and 0.005 (order 1).
TEST_F(PassPotential, SphereInAStreamIsSecondOrder) {
    const double coarse = error(24), middle = error(48), fine = error(96);
    reportOnly(Row::PotentialFlow, "the aperture alone, CPU solve, rms at 24^3", coarse);
    reportOnly(Row::PotentialFlow, "the same, rms at 48^3", middle);
    expectAtMost(Row::PotentialFlow, "the same, rms at 96^3", fine, 1e-3);
    expectAtLeast(Row::PotentialFlow, "the same, order 24 to 96", std::log2(coarse / fine) / 2.0, 1.7);
}

}  // namespace
}  // namespace wisp::test
