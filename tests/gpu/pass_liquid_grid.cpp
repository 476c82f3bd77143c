// SPDX-License-Identifier: MIT
// Grid passes of a liquid before and after the pressure solve.
#include "compute/liquid/push.h"
#include "tests/gpu/pass_liquid.h"
#include "tests/reference/pressure.h"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class PassLiquidGrid : public PassLiquid {
protected:
    void SetUp() override {
        PassLiquid::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        open = aperture();
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
        solidVelocity = solidVelocityToGpu(open);
    }
    // Pressure for a surface from liquid_cells: random in FLUID cells, 0 in all others.
    Numbers randomPressure(const Field& surface) {
        Numbers q = randomNumbers(step.cells, -0.1, 0.1);
        forEach(step.cells, [&](ivec3 c) { q(c) = surface(c).x < 0.0 ? q(c) : 0.0; });
        return q;
    }
    static std::size_t countOf(const Field& field, double value) {
        std::size_t count = 0;
        for (const dvec4& v : field.values())
            for (int axis = 0; axis < 3; ++axis) count += v[axis] == value ? 1 : 0;
        return count;
    }

    Field open;
    engine::Image openImage, solidVelocity;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidGrid, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidGrid, Cells) {
    Numbers rho = randomNumbers(step.cells, -0.2, 1.2);
    const Numbers chance = randomNumbers(step.cells, -3.0, 3.0);
    forEach(step.cells, [&](ivec3 c) {
        if (c.y > step.cells.y / 2) rho(c) *= 0.55;  // so that some FLUID cells are isolated
        rho(c) = std::max(rho(c), 0.0);
        if (glm::all(glm::lessThan(c, ivec3(4)))) rho(c) = 0.6 + 0.3 * rho(c);  // some cells at walls have no air beside them
        if (c == ivec3(0)) rho(c) = 0.5;
        if (c.x == 0 && c.y == 1 && c.z == 1) rho(c) = 1.0;
    });
    const engine::Buffer densities = toGpu(rho), result = target(2 * rho.count());
    Words counts(step.cells);
    for (std::size_t i = 0; i < counts.count(); ++i) counts.values()[i] = chance.values()[i] > 0.0 && rho.values()[i] > 0.0 ? 2u : 0u;
    const engine::Buffer first = wordsToGpu(firstParticles(counts, Words(step.cells), 0xffffffffu));
    Field velocity = randomVelocity(step);
    Numbers q = randomNumbers(step.cells, -0.05, 0.05);
    const engine::Image u = toGpu(velocity, vectorFormat());
    const engine::Buffer pressure = cellsToGpu(q), air = wordsToGpu(std::vector<std::uint32_t>{0});
    pass("liquid_cells", step.cells,
         {{"density", densities},
          {"cellFirst", first},
          {"aperture", openImage},
          {"solidVelocity", solidVelocity},
          {"velocity", u},
          {"pressure", pressure},
          {"surfaceOut", result},
          {"air", air}},
         levelOf(step.cells));
    EXPECT_EQ(wordsFromGpu(air).at(0), 1u);
    const Field twin = surface(step, rho, counts, open, velocity, q);
    const std::vector<float> gpu = download(result);
    std::size_t alone = 0, leaves = 0, stays = 0;
    for (std::size_t i = 0; i < twin.count(); ++i) {
        if (twin.values()[i].w == 1.0) continue;
        leaves += twin.values()[i].z == 1.0 && rho.values()[i] > 0.5 ? 1 : 0;
        stays += twin.values()[i].x < 0.0 ? 1 : 0;
        // A root of at most 1 with an error of five units in the last place, and a difference.
        ASSERT_NEAR(gpu[2 * i], twin.values()[i].x, 16.0 * kEps) << i;
        ASSERT_EQ(gpu[2 * i] < 0.0f, twin.values()[i].x < 0.0) << i;
        ASSERT_EQ(gpu[2 * i + 1], twin.values()[i].y) << i;
        alone += twin.values()[i].x < 0.0 && rho.values()[i] < 0.5 ? 1 : 0;
    }
    EXPECT_GT(alone, 0u);
    EXPECT_GT(leaves, 0u);
    EXPECT_GT(stays, twin.count() / 8);
}

TEST_P(PassLiquidGrid, AFullClosedBoxHasNoAir) {
    Numbers rho(step.cells, 1.0), q(step.cells);
    Field velocity(faces(step));
    for (const bool closed : {false, true}) {  // the box is open at first
        if (closed) step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
        Field around = aperture();
        const engine::Buffer air = wordsToGpu(std::vector<std::uint32_t>{0});
        pass("liquid_cells", step.cells,
             {{"density", toGpu(rho)},
              {"cellFirst", wordsToGpu(firstParticles(Words(step.cells), Words(step.cells), 0))},
              {"aperture", toGpu(around, VK_FORMAT_R8G8B8A8_UNORM)},
              {"solidVelocity", solidVelocity},
              {"velocity", toGpu(velocity, vectorFormat())},
              {"pressure", cellsToGpu(q)},
              {"surfaceOut", target(2 * rho.count())},
              {"air", air}},
             levelOf(step.cells));
        EXPECT_EQ(wordsFromGpu(air).at(0), closed ? 0u : 1u);
    }
}

TEST_P(PassLiquidGrid, Forces) {
    Field velocity = randomVelocity(step);
    const engine::Image image = toGpu(velocity, vectorFormat()), result = target(faces(step), vectorFormat());
    const dvec3 gravity(0.5, -9.81, 0.25);
    pass("liquid_forces", faces(step), {{"velocityIn", image}, {"velocityOut", result}}, glm::vec3(gravity));
    Field twin = velocity;
    for (dvec4& u : twin.values()) u = dvec4(dvec3(u) + double(step.dt) * gravity, 0.0);
    expectNear(fromGpu(result), twin, 4.0 * kEps * 2.0, half());  // two roundings of at most 1.8 m/s, and one of g
}

TEST_P(PassLiquidGrid, Weights) {
    Field phi = randomSurface(open);
    // A barely FLUID cell below an EMPTY cell that is far above the surface gives the smallest fraction.
    forEach(step.cells, [&](ivec3 c) {
        if (c.y % 5 < 2 && open(c).w > 0.0 && c.z % 2 == 0) phi(c).x = c.y % 5 == 0 ? -WISP_LIQUID_LEAST : 1.0;
    });
    const engine::Buffer surface = surfaceToGpu(phi);
    const gpu::PressureLevel level = levelOf(step.cells);
    for (const bool ghostFluid : {true, false}) {
        const engine::Buffer result = target(4 * Field(faces(step)).count()),
                             regular = target(static_cast<std::size_t>(gpu::regularCount(level)));
        const LiquidWeightsPush push{level, ghostFluid ? 1 : 0};
        pass("liquid_weights", faces(step),
             {{"aperture", openImage}, {"weightsOut", result}, {"regularOut", regular}, {"surface", surface}}, push);
        const Field twin = liquidWeights(step, open, phi, ghostFluid);
        const std::vector<float> gpu = download(result);
        Field gpuWeights(faces(step));
        for (std::size_t i = 0; i < gpuWeights.count(); ++i) {
            double sum = 0.0;
            for (int n = 0; n < 4; ++n) {
                const double value = gpuWeights.values()[i][n] = gpu[4 * i + static_cast<std::size_t>(n)], exact = twin.values()[i][n];
                // Two quotients of 2.5 units, a difference, and six sums of positive numbers.
                ASSERT_NEAR(value, exact, 16.0 * kEps * exact) << i << " " << n;
                sum += value;
            }
            ASSERT_TRUE(std::isfinite(sum));
        }
        // Flags of cells that need no weights: FLUID cells with all neighbours and weights of 1.
        const std::vector<std::uint32_t> words = wordsFromGpu(regular);
        forEach(step.cells, [&](ivec3 c) {
            const int slot = gpu::slotOf(level, c.x);
            const std::uint32_t word = words[static_cast<std::size_t>(gpu::regularIndex(level, slot, c.y, c.z))];
            ASSERT_EQ((word >> slot % WISP_REGULAR_BITS & 1u) != 0, phi(c).x < 0.0 && isRegular(gpuWeights, c))
                << c.x << " " << c.y << " " << c.z;
            ASSERT_EQ(gpu::hasEquation(word, slot), gpuWeights(c).w > 0.0) << c.x << " " << c.y << " " << c.z;
        });
    }
}

TEST_P(PassLiquidGrid, Divergence) {
    Field velocity = randomVelocity(step), phi = randomSurface(open);
    Numbers q = randomNumbers(step.cells, -0.1, 0.1);
    const engine::Image u = toGpu(velocity, vectorFormat());
    const engine::Buffer result = target(q.count()), pressure = cellsToGpu(q);
    pass("liquid_divergence", step.cells,
         {{"velocity", u},
          {"aperture", openImage},
          {"solidVelocity", solidVelocity},
          {"rhsOut", result},
          {"surface", surfaceToGpu(phi)},
          {"pressure", pressure}},
         levelOf(step.cells));
    // As in Downsample in pass_pressure.cpp with ratio 1: six fluxes of 14 roundings below 4 m/s over h, times h^2.
    expectNear(cellsFromGpu(result, step.cells), liquidRightHandSide(step, velocity, open, phi), 6.0 * 14.0 * 4.0 * double(step.h) * kEps);
    Numbers kept = q;
    forEach(step.cells, [&](ivec3 c) { kept(c) = phi(c).x < 0.0 ? kept(c) : 0.0; });
    expectNear(cellsFromGpu(pressure, step.cells), kept, 0.0);
}

TEST_P(PassLiquidGrid, Gradient) {
    Field velocity = randomVelocity(step), phi = randomSurface(open);
    const engine::Image u = toGpu(velocity, vectorFormat());
    const engine::Buffer surface = surfaceToGpu(phi);
    for (const bool ghostFluid : {true, false}) {
        Field weights = liquidWeights(step, open, phi, ghostFluid);
        const engine::Buffer w = weightsToGpu(weights);
        Numbers q = randomPressure(phi);
        const engine::Buffer pressure = cellsToGpu(q), known = target(Field(faces(step)).count());
        const engine::Image result = target(faces(step), vectorFormat());
        pass("liquid_gradient", faces(step),
             {{"weights", w},
              {"pressureIn", pressure},
              {"velocityIn", u},
              {"velocityOut", result},
              {"aperture", openImage},
              {"solidVelocity", solidVelocity},
              {"surface", surface},
              {"knownOut", known}});
        const Projected twin = liquidGradient(step, weights, q, velocity, open, phi);
        expectWithin(fromGpu(result), twin.velocity, twin.tolerance, half());
        expectWithin(knownFromGpu(known), twin.known, Field(faces(step)), false);
        EXPECT_GT(countOf(twin.known, 0.0), 0u);
        EXPECT_GT(countOf(twin.known, WISP_LIQUID_UNKNOWN), 0u);
    }
}

// Consistency of weights, right-hand side and gradient: with q from the equation, no FLUID cell has a divergence. The test has its own
// solver.
TEST_P(PassLiquidGrid, NoDivergenceIsLeft) {
    Field velocity = randomVelocity(step), phi = randomSurface(open);
    const Field weights = liquidWeights(step, open, phi, true);
    const Numbers b = liquidRightHandSide(step, velocity, open, phi);
    Numbers q(step.cells);
    for (int sweep = 0; sweep < 4000; ++sweep)
        for (const int colour : {0, 1}) redBlackSor(weights, b, q, colour, 1.5);
    const Projected projected = liquidGradient(step, weights, q, velocity, open, phi);
    const Numbers left = liquidRightHandSide(step, projected.velocity, open, phi);
    double worst = 0.0, rest = 0.0;
    const Numbers Aq = applied(weights, q);
    forEach(step.cells, [&](ivec3 c) {
        if (weights(c).w == 0.0) return;
        worst = std::max(worst, std::abs(left(c)));
        rest = std::max(rest, std::abs(b(c) - Aq(c)));
    });
    EXPECT_LE(worst, rest + 1e-12);  // the remaining divergence is the residual of the equation, up to rounding of doubles
    EXPECT_LT(rest, 1e-9);
}

TEST_P(PassLiquidGrid, Slip) {
    Field velocity = randomVelocity(step);
    const engine::Image u = toGpu(velocity, vectorFormat()), result = toGpu(velocity, vectorFormat()),
                        back = target(faces(step), vectorFormat());
    if (step.obstacleCount == 0) return;
    const Slipped twin = slip(step, velocity, open, distanceField(), distanceError());
    pass("liquid_slip", faces(step) + 2, {{"velocityIn", u}, {"velocityOut", result}, {"aperture", openImage}}, ivec3(-1));
    expectWithin(fromGpu(result), twin.velocity, twin.tolerance, half(), &twin.unsure);
    pass("liquid_slip_copy", faces(step) + 2, {{"velocityIn", result}, {"velocityOut", back}}, ivec3(-1));
    EXPECT_EQ(fromGpu(back).values(), fromGpu(result).values());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < velocity.count(); ++i) changed += twin.velocity.values()[i] != velocity.values()[i] ? 1 : 0;
    EXPECT_GT(changed, 0u);
}

}  // namespace
}  // namespace wisp::test
