// SPDX-License-Identifier: MIT
// Density correction: crowded regions of a liquid expand, and thin regions inside it contract.
#include "compute/liquid/push.h"
#include "tests/gpu/pass_liquid.h"
#include "tests/reference/pressure.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class PassLiquidDensityError : public PassLiquid {
protected:
    void SetUp() override {
        PassLiquid::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        open = aperture();
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
        phi = randomSurface(open);
        // A full region, so that some of its cells are inside. Half of the region is thin.
        forEach(step.cells, [&](ivec3 c) {
            if (c.y > 3 || c.x > 7) return;
            phi(c).x = open(c).w == 0.0 ? 1.0 : -0.5;
            if (c.z < step.cells.z / 2) phi(c).y *= 0.3;
        });
        surface = surfaceToGpu(phi);
        weights = liquidWeights(step, open, phi, true);
        weightsBuffer = weightsToGpu(weights);
    }
    Numbers densityError(float rate, std::uint32_t air) {
        const engine::Buffer result = target(phi.count());
        const LiquidDensityErrorPush push{levelOf(step.cells), rate};
        pass("liquid_density_error", step.cells,
             {{"aperture", openImage}, {"rhsOut", result}, {"surface", surface}, {"air", wordsToGpu(std::vector<std::uint32_t>{air})}},
             push);
        return cellsFromGpu(result, step.cells);
    }
    Field positionCorrection(Numbers& psi) {
        const engine::Buffer potential = cellsToGpu(psi);
        const engine::Image result = target(faces(step), VK_FORMAT_R16G16B16A16_SFLOAT);  // half precision in all cases
        pass("liquid_position_correction", faces(step),
             {{"weights", weightsBuffer}, {"pressureIn", potential}, {"aperture", openImage}, {"correctionOut", result}});
        return fromGpu(result);
    }
    // A difference, a product, and two quotients of 2.5 units in the last place.
    static Field spreadErrors(const Field& positionCorrection) {
        Field errors = positionCorrection;
        for (dvec4& v : errors.values()) v = 12.0 * kEps * glm::abs(v);
        return errors;
    }

    Field open, phi, weights;
    engine::Image openImage;
    engine::Buffer surface, weightsBuffer;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidDensityError, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidDensityError, Crowding) {
    for (const float rate : {5.0f, 40.0f}) {
        const Numbers twin = liquidDensityError(step, open, phi, double(rate));
        // Errors of the excess (a mean of 27 products below 2) and of its product with the rate and the open volume, all times h^2.
        const double unit = double(step.h) * double(step.h) * double(rate);
        expectNear(densityError(rate, 1), twin, unit * 64.0 * kEps);
        std::size_t crowded = 0, thin = 0, mostCrowded = 0, thinnest = 0, even = 0;
        forEach(step.cells, [&](ivec3 c) {
            crowded += twin(c) > 0.0 ? 1 : 0;
            thin += twin(c) < 0.0 ? 1 : 0;
            mostCrowded += twin(c) == unit * 0.5 ? 1 : 0;
            thinnest += twin(c) == -unit * 0.5 ? 1 : 0;
            even += phi(c).x < 0.0 && phi(c).y != 1.0 && twin(c) == 0.0 ? 1 : 0;
        });
        EXPECT_GT(crowded, 10u);
        EXPECT_GT(mostCrowded, 1u);
        EXPECT_GT(even, 5u) << "thin cells at the surface, and cells that differ from their neighbours";
        EXPECT_EQ(thin > 5, step.cells.x > 1) << "cells next to an open side are not inside";
        EXPECT_EQ(thinnest > 1, step.cells.x > 1);
    }
    expectNear(densityError(40.0f, 0), Numbers(step.cells), 0.0);  // a completely full closed box cannot expand
}

TEST_P(PassLiquidDensityError, PositionCorrection) {
    Numbers psi = randomNumbers(step.cells, -0.1, 0.1);
    forEach(step.cells, [&](ivec3 c) { psi(c) = phi(c).x < 0.0 ? psi(c) : 0.0; });  // as a multigrid cycle leaves it
    const Field gpu = positionCorrection(psi), twin = liquidPositionCorrection(step, weights, psi, open);
    expectWithin(gpu, twin, spreadErrors(twin), true);
    std::size_t closed = 0, moving = 0;
    for (int axis = 0; axis < 3; ++axis) {
        forEach(step.cells + unit(axis), [&](ivec3 c) {
            closed += open(c)[axis] == 0.0 ? 1 : 0;
            moving += gpu(c)[axis] != 0.0 ? 1 : 0;
        });
    }
    EXPECT_GT(closed, 0u);
    EXPECT_GT(moving, 20u);
}

// Consistency of crowding, weights and spread: with psi from the equation, the divergence of the spread is rate times excess in FLUID
// cells. The test has its own solver.
TEST_P(PassLiquidDensityError, DivergenceOfTheSpreadMatchesTheExcess) {
    const Numbers b = densityError(40.0f, 1);
    Numbers psi(step.cells);
    for (int sweep = 0; sweep < 4000; ++sweep)
        for (const int colour : {0, 1}) redBlackSor(weights, b, psi, colour, 1.5);
    const Field v = positionCorrection(psi);  // which rounds psi
    const Numbers Apsi = applied(weights, psi), moved = divergence(step, v, open), still = divergence(step, Field(faces(step)), open);
    const Field exact = liquidPositionCorrection(step, weights, psi, open), errors = spreadErrors(exact);
    double mostPsi = 0.0;
    for (const double p : psi.values()) mostPsi = std::max(mostPsi, std::abs(p));
    const double h = double(step.h);
    std::size_t fast = 0;
    forEach(step.cells, [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        const double rest = std::abs(b(c) - Apsi(c));
        ASSERT_LT(rest, 1e-9 + 2.0 * kEps * mostPsi * weights(c).w) << "psi and its neighbours are rounded";
        double allowed = rest / (h * h) + 1e-12 * largest(exact) / h;
        for (int axis = 0; axis < 3; ++axis)
            for (const ivec3 face : {c, c + unit(axis)})
                allowed += open(face)[axis] / h * (errors(face)[axis] + std::abs(exact(face)[axis]) / 1024.0 + 6e-8);
        const double div = moved(c) - still(c);  // without the motion of solids
        ASSERT_NEAR(div, b(c) / (h * h), allowed) << c.x << " " << c.y << " " << c.z;
        fast += std::abs(div) > 100.0 * allowed ? 1 : 0;
    });
    EXPECT_GT(fast, 10u);
}

}  // namespace
}  // namespace wisp::test
