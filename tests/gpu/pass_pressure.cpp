// SPDX-License-Identifier: MIT
// Obstacles and everything that makes the velocity divergence-free.
#include "tests/gpu/pass_test.h"
#include "tests/reference/pressure.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::test {
namespace {

class PassSolids : public EveryCase {};
INSTANTIATE_TEST_SUITE_P(Cases, PassSolids, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassSolids, CoarseOpenness) {
    Field fine = openness();
    const engine::Image image = toGpu(fine, VK_FORMAT_R8G8B8A8_UNORM);
    const Field twin = coarseOpenness(step, fine);
    const engine::Buffer weights = target(4 * twin.count());
    const engine::Buffer regular = target(Numbers(step.pressureCells).count());
    pass("coarse_openness", pressureFaces(step), {{"openness", image}, {"weightsOut", weights}, {"regularOut", regular}});
    // Sums of at most 16 shares and then 6 weights, none above 12: 22 roundings of 12.
    Field result(twin.size());
    const std::vector<float> values = download(weights);
    for (std::size_t i = 0; i < values.size(); ++i) result.values()[i / 4][static_cast<int>(i % 4)] = values[i];
    expectNear(result, twin, 22.0 * 12.0 * kEps, false);
    EXPECT_EQ(downloadBytes(regular), downloadBytes(regularToGpu(twin)));
}

class PassPressure : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        fineOpenness = openness();
        opennessImage = toGpu(fineOpenness, VK_FORMAT_R8G8B8A8_UNORM);
        weights = coarseOpenness(step, fineOpenness);
        weightsBuffer = weightsToGpu(weights);
        regularBuffer = regularToGpu(weights);
        div = randomNumbers(step.pressureCells, -20.0, 20.0);
        divBuffer = toGpu(div);
        q = randomNumbers(step.pressureCells, -0.1, 0.1);
        qBuffer = toGpu(q);
    }
    [[nodiscard]] double spacing() const { return step.ratio * double(step.h); }
    // A sweep adds six products of a weight (at most 2) and a pressure, and H^2 div, and divides by the sum of the weights,
    // which is at least a sliver's 0.02 / 16 of one face. The error of the sum is spread over the same weights, so only H^2 div
    // is amplified: 16 roundings of the largest result.
    double sweepTolerance(const Numbers& result) const {
        double size = 0.1;
        for (const double v : result.values()) size = std::max(size, std::abs(v));
        return 16.0 * kEps * size;
    }

    Field fineOpenness, weights;
    Numbers div, q;
    engine::Image opennessImage;
    engine::Buffer weightsBuffer, regularBuffer, divBuffer, qBuffer;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassPressure, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassPressure, Downsample) {
    Field velocity = randomVelocity(step);
    const engine::Image u = toGpu(velocity, vectorFormat());
    const engine::Buffer result = target(div.count());
    pass("downsample", step.pressureCells, {{"velocity", u}, {"openness", opennessImage}, {"solidVelocity", solidVelocityToGpu(fineOpenness)}, {"divergenceOut", result}});
    // Six means over r^2 faces of two products each, of speeds below 4 m/s (spinning obstacles); solid velocities carry the
    // 8 eps of positions. (2 r^2 + 12) roundings of 4 m/s, over H.
    const double tolerance = 6.0 * (2.0 * step.ratio * step.ratio + 12.0) * 4.0 * kEps / spacing();
    expectNear(fromGpu(result, step.pressureCells), divergence(step, velocity, fineOpenness), tolerance);
}

TEST_P(PassPressure, Jacobi) {
    const engine::Buffer result = target(q.count()), residual = target(8);
    upload(residual, std::vector<float>(8, 1.0f));
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"divergence", divBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         0.0f);
    const Numbers twin = jacobi(step, weights, div, q);
    expectNear(fromGpu(result, step.pressureCells), twin, sweepTolerance(twin));
}

TEST_P(PassPressure, JacobiKeepsItsPressureOnceConverged) {
    const engine::Buffer result = target(q.count()), residual = target(8);
    const Numbers swept = jacobi(step, weights, div, q);
    upload(residual, {1.1e-6f, 1.0f, 0, 0, 0, 0, 0, 0});  // |r| / |b| = 1.05e-3
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"divergence", divBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         1e-3f);
    expectNear(fromGpu(result, step.pressureCells), swept, sweepTolerance(swept));
    upload(residual, {0.9e-6f, 1.0f, 0, 0, 0, 0, 0, 0});  // 0.95e-3
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"divergence", divBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         1e-3f);
    expectNear(fromGpu(result, step.pressureCells), q, 0.0);
}

TEST_P(PassPressure, RedBlackSor) {
    const struct {
        float tolerance, omega;
        int colour;
    } red{0.0f, 1.7f, 0}, black{0.0f, 1.7f, 1};
    const engine::Buffer residual = target(8);
    upload(residual, std::vector<float>(8, 1.0f));
    Numbers twin = q;
    const ivec3 threads((step.pressureCells.x + 1) / 2, step.pressureCells.y, step.pressureCells.z);
    for (const auto& push : {red, black}) {
        pass("red_black_sor", threads,
             {{"weights", weightsBuffer},
              {"divergence", divBuffer},
              {"pressureIn", qBuffer},
              {"regular", regularBuffer},
              {"residual", residual}},
             push);
        redBlackSor(step, weights, div, twin, push.colour, double(push.omega));
        // Over-relaxation adds 2.7 of a sweep's error, and black cells inherit 1.7 of red ones'.
        expectNear(fromGpu(qBuffer, step.pressureCells), twin, 2.7 * (1.0 + push.colour * 1.7) * sweepTolerance(twin));
    }
}

TEST_P(PassPressure, ResidualAndFold) {
    const auto threads = static_cast<int>(div.count());
    const std::uint32_t groups = static_cast<std::uint32_t>((threads + 255) / 256);
    const engine::Buffer partials = target(8 * groups), sums = target(8);
    pass("pressure_residual", {threads, 1, 1},
         {{"weights", weightsBuffer}, {"divergence", divBuffer}, {"pressureIn", qBuffer}, {"partialsOut", partials}});
    pass("fold", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    const Residual twin = pressureResidual(step, weights, div, q);
    const std::vector<float> result = download(sums);
    // A tree over n < 256 values a group and a few groups: 10 roundings; each r^2 comes from about 12. Relative to sums of
    // positive numbers; b has both signs, so relative to sqrt(n sum b^2).
    EXPECT_NEAR(result[0], twin.r2, 60.0 * kEps * (twin.r2 + twin.b2));
    EXPECT_NEAR(result[1], twin.b2, 20.0 * kEps * twin.b2);
    EXPECT_NEAR(result[2], twin.b, 20.0 * kEps * std::sqrt(twin.count * twin.b2));
    EXPECT_EQ(result[3], twin.count);
    pass("fold", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    EXPECT_EQ(result, download(sums)) << "the order of summation must be fixed";
}

TEST_P(PassPressure, RemoveMean) {
    const Residual sums = pressureResidual(step, weights, div, q);
    const engine::Buffer record = target(8);
    upload(record, {0.0f, 0.0f, static_cast<float>(sums.b), static_cast<float>(sums.count), 0.0f, 0.0f, 0.0f, 0.0f});
    pass("remove_mean", step.pressureCells, {{"weights", weightsBuffer}, {"divergence", divBuffer}, {"sums", record}});
    removeMean(step, weights, div);
    expectNear(fromGpu(divBuffer, step.pressureCells), div, 6.0 * 20.0 * kEps);  // 6 roundings of at most 20
}

class PassFold : public PassTest {};

TEST_F(PassFold, FoldsMoreRecordsThanItHasThreads) {
    constexpr std::uint32_t count = 1000;
    std::vector<float> values;
    std::array<double, 8> twin{};
    const Numbers numbers = randomNumbers({8, static_cast<int>(count), 1}, 0.0, 1.0);
    for (std::size_t i = 0; i < numbers.count(); ++i) {
        const double v = numbers.values()[i];
        values.push_back(static_cast<float>(v));
        twin[i % 8] = i % 8 < 6 ? twin[i % 8] + v : std::max(twin[i % 8], v);
    }
    const engine::Buffer partials = target(8 * count), record = target(8);
    upload(partials, values);
    pass("fold", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, count);
    const std::vector<float> result = download(record);
    // Four records a thread and a tree of eight levels.
    for (std::size_t n = 0; n < 8; ++n) EXPECT_NEAR(result[n], twin[n], 13.0 * kEps * twin[n]);
}

class PassJacobi : public PassTest {};

// cos(a i) cos(a j) cos(a k) with a = pi m / (n - 1) on the n^3 cells of a closed box is a mode of the sweep: with equal
// numbers along the axes every cell, also one that has fewer neighbours at a wall, gets the mean of what is cos(a) times it.
TEST_F(PassJacobi, DampsACosineModeByItsCosine) {
    constexpr int n = 12, sweeps = 50;
    step = makeStep({.cells = {n, n, n}, .obstacles = false});
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    Field weights = coarseOpenness(step, obstacles(step));
    const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights), residual = target(8);
    upload(residual, std::vector<float>(8, 1.0f));
    Numbers div(step.pressureCells);
    const engine::Buffer zero = toGpu(div);
    for (const int m : {1, 2, 5}) {
        const double a = glm::pi<double>() * m / (n - 1);
        Numbers q(step.pressureCells);
        forEach(step.pressureCells, [&](ivec3 c) { q(c) = std::cos(a * c.x) * std::cos(a * c.y) * std::cos(a * c.z); });
        const engine::Buffer buffers[2] = {toGpu(q), target(q.count())};
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            pass("jacobi", step.pressureCells,
                 {{"weights", w},
                  {"divergence", zero},
                  {"pressureIn", buffers[sweep % 2]},
                  {"pressureOut", buffers[1 - sweep % 2]},
                  {"regular", regular},
                  {"residual", residual}},
                 0.0f);
        }
        for (double& v : q.values()) v *= std::pow(std::cos(a), sweeps);
        expectNear(fromGpu(buffers[sweeps % 2], step.pressureCells), q, 1e-5);  // 50 sweeps of a few roundings each
    }
}

}  // namespace
}  // namespace wisp::test
