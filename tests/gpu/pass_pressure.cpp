// SPDX-License-Identifier: MIT
// The passes of the pressure solve.
#include "compute/pressure/push.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/pressure.h"
#include "tests/reference/projection.h"
#include "tests/support/verification.h"

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::test {
namespace {

class PassSolids : public EveryCase {};
INSTANTIATE_TEST_SUITE_P(Cases, PassSolids, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassSolids, CoarseAperture) {
    Field fine = aperture();
    const engine::Image image = toGpu(fine, VK_FORMAT_R8G8B8A8_UNORM);
    const Field twin = coarseAperture(step, fine);
    const engine::Buffer weights = target(4 * twin.count());
    const engine::Buffer regular = target(static_cast<std::size_t>(gpu::regularCount(levelOf(step.pressureCells))));
    // In two parts, as a pass over the box of the obstacles is a part of the grid.
    const ivec3 all = pressureFaces(step), middle(0, all.y / 2, 0);
    for (const ivec3 first : {ivec3(0), middle})
        pass("coarse_aperture", all - middle, {{"aperture", image}, {"weightsOut", weights}, {"regularOut", regular}},
             CoarseAperturePush{levelOf(step.pressureCells), {first.y, first.z}});
    // Sums of at most 16 open fractions and then 6 weights, none above 12: 22 roundings of 12.
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
        fineAperture = aperture();
        apertureImage = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM);
        weights = coarseAperture(step, fineAperture);
        weightsBuffer = weightsToGpu(weights);
        regularBuffer = regularToGpu(weights);
        level = levelOf(step.pressureCells);
        b = randomNumbers(step.pressureCells, -0.2, 0.2);
        bBuffer = cellsToGpu(b);
        q = randomNumbers(step.pressureCells, -0.1, 0.1);
        qBuffer = cellsToGpu(q);
    }
    [[nodiscard]] double spacing() const { return step.ratio * double(step.h); }
    // A sweep adds six products of a weight (at most 2) and a pressure, and b, and divides by the sum of the weights, which is
    // at least a sliver's 0.02 / 16 of one face. The error of the sum is spread over the same weights, so only b is amplified:
    // 16 roundings of the largest result.
    double sweepTolerance(const Numbers& result) const {
        double size = 0.1;
        for (const double v : result.values()) size = std::max(size, std::abs(v));
        return 16.0 * kEps * size;
    }

    [[nodiscard]] JacobiPush sweepPush(float tolerance) const { return {level, tolerance}; }

    Field fineAperture, weights;
    gpu::PressureLevel level{};
    Numbers b, q;
    engine::Image apertureImage;
    engine::Buffer weightsBuffer, regularBuffer, bBuffer, qBuffer;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassPressure, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassPressure, Downsample) {
    Field velocity = randomVelocity(step);
    addDivergence(velocity);
    const engine::Image u = toGpu(velocity, vectorFormat()), solid = solidVelocityToGpu(fineAperture);
    // With ratio 4, the pass reads the intermediate grid where faces are fully open.
    Field between = step.ratio == 4 ? restrictVelocity({step.cells, 1, 1.0f}, fineAperture, fromGpu(solid), velocity, double(step.h))
                                    : velocity;
    const engine::Image finer = toGpu(between, step.ratio == 4 ? VK_FORMAT_R32G32B32A32_SFLOAT : vectorFormat());
    const engine::Buffer result = target(b.count()), means = target(3 * b.count());
    const DownsamplePush push{level, step.ratio > 1 ? 1 : 0};
    pass("downsample", step.pressureCells,
         {{"velocity", u},
          {"finer", finer},
          {"aperture", apertureImage},
          {"solidVelocity", solid},
          {"regular", regularBuffer},
          {"rhsOut", result},
          {"meansOut", means}},
         push);
    // Six means over r^2 faces of two products each, of speeds below 4 m/s (rotating obstacles). Solid velocities have the 8 eps of
    // positions. In total (2 r^2 + 12) roundings of 4 m/s, times H. A divergence below 10 / s is less than 4 m/s per h.
    const double tolerance = 6.0 * (2.0 * step.ratio * step.ratio + 12.0) * 4.0 * kEps * spacing();
    expectNear(cellsFromGpu(result, step.pressureCells), rightHandSide(step, velocity, fineAperture), tolerance);
    if (step.ratio == 1) return;
    const std::vector<float> found = download(means);
    std::size_t i = 0;
    forEach(step.pressureCells, [&](ivec3 C) {
        for (int axis = 0; axis < axes(step) && isRegular(weights, C, axes(step)); ++axis)
            ASSERT_NEAR(found[3 * i + static_cast<std::size_t>(axis)], meanThrough(Level{.cells = between.size() - 1}, between, C, axis),
                        4.0 * kEps)
                << C.x << " " << C.y << " " << C.z;
        ++i;
    });
}

TEST_P(PassPressure, Jacobi) {
    const engine::Buffer result = target(q.count()), residual = target(8);
    upload(residual, std::vector<float>(8, 1.0f));
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"rhs", bBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         sweepPush(0.0f));
    const Numbers twin = jacobi(weights, b, q, periodicAxes(step));
    expectNear(cellsFromGpu(result, step.pressureCells), twin, sweepTolerance(twin));
}

TEST_P(PassPressure, JacobiKeepsItsPressureOnceConverged) {
    const engine::Buffer result = target(q.count()), residual = target(8);
    const Numbers swept = jacobi(weights, b, q, periodicAxes(step));
    upload(residual, {1.1e-6f, 1.0f, 0, 0, 0, 0, 0, 0});  // |r| / |b| = 1.05e-3
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"rhs", bBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         sweepPush(1e-3f));
    expectNear(cellsFromGpu(result, step.pressureCells), swept, sweepTolerance(swept));
    upload(residual, {0.9e-6f, 1.0f, 0, 0, 0, 0, 0, 0});  // 0.95e-3
    pass("jacobi", step.pressureCells,
         {{"weights", weightsBuffer},
          {"rhs", bBuffer},
          {"pressureIn", qBuffer},
          {"pressureOut", result},
          {"regular", regularBuffer},
          {"residual", residual}},
         sweepPush(1e-3f));
    expectNear(cellsFromGpu(result, step.pressureCells), q, 0.0);
}

TEST_P(PassPressure, RedBlackSor) {
    const SorPush red{level, 0.0f, 1.7f, 0}, black{level, 0.0f, 1.7f, 1}, third{level, 0.0f, 1.7f, 2};
    const engine::Buffer residual = target(8);
    upload(residual, std::vector<float>(8, 1.0f));
    Numbers twin = q;
    const int count = colours(step.pressureCells, periodicAxes(step));
    const ivec3 threads(count == 2 ? (step.pressureCells.x + 1) / 2 : step.pressureCells.x, step.pressureCells.y, step.pressureCells.z);
    // In units of a sweep's error. Over-relaxation adds 2.7, and cells inherit 1.7 times the error of earlier colours.
    double error = 0.0;
    for (const auto& push : {red, black, third}) {
        if (push.colour == count) break;
        pass("red_black_sor", threads,
             {{"weights", weightsBuffer}, {"rhs", bBuffer}, {"pressureIn", qBuffer}, {"regular", regularBuffer}, {"residual", residual}},
             push);
        redBlackSor(weights, b, twin, push.colour, double(push.omega), periodicAxes(step));
        error = 2.7 + 1.7 * error;
        expectNear(cellsFromGpu(qBuffer, step.pressureCells), twin, error * sweepTolerance(twin));
    }
}

TEST_P(PassPressure, ResidualAndReduction) {
    const auto threads = static_cast<int>(b.count());
    const std::uint32_t groups = static_cast<std::uint32_t>((threads + 255) / 256);
    const engine::Buffer partials = target(8 * groups), sums = target(8);
    pass("pressure_residual", {threads, 1, 1},
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", bBuffer}, {"pressureIn", qBuffer}, {"partialsOut", partials}},
         level);
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    const Residual twin = pressureResidual(weights, b, q, periodicAxes(step));
    const std::vector<float> result = download(sums);
    // A tree over n < 256 values per group and over a few groups: 10 roundings. Each r^2 has about 12. Errors are relative to sums of
    // positive numbers. b has both signs, so its error is relative to sqrt(n sum b^2).
    EXPECT_NEAR(result[0], twin.r2, 60.0 * kEps * (twin.r2 + twin.b2));
    EXPECT_NEAR(result[1], twin.b2, 20.0 * kEps * twin.b2);
    EXPECT_NEAR(result[2], twin.b, 20.0 * kEps * std::sqrt(twin.count * twin.b2));
    EXPECT_EQ(result[3], twin.count);
    EXPECT_NEAR(result[4], twin.q, 20.0 * kEps * 0.1 * twin.count);
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    EXPECT_EQ(result, download(sums)) << "the order of summation must be fixed";
}

TEST_P(PassPressure, RemoveMean) {
    const Residual sums = pressureResidual(weights, b, q, periodicAxes(step));
    const engine::Buffer record = target(8);
    upload(record, {0.0f, 0.0f, static_cast<float>(sums.b), static_cast<float>(sums.count), static_cast<float>(sums.q), 0.0f, 0.0f, 0.0f});
    RemoveMeanPush push{level, 2};
    pass("remove_mean", step.pressureCells, {{"weights", weightsBuffer}, {"values", bBuffer}, {"sums", record}}, push);
    removeMean(weights, b);
    expectNear(cellsFromGpu(bBuffer, step.pressureCells), b, 6.0 * 0.4 * kEps);  // 6 roundings of at most 0.4
    push.sum = 4;
    pass("remove_mean", step.pressureCells, {{"weights", weightsBuffer}, {"values", qBuffer}, {"sums", record}}, push);
    removeMean(weights, q);
    expectNear(cellsFromGpu(qBuffer, step.pressureCells), q, 6.0 * 0.4 * kEps);
}

class PassReduceFinal : public PassTest {};

TEST_F(PassReduceFinal, FoldsMoreRecordsThanItHasThreads) {
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
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, count);
    const std::vector<float> result = download(record);
    // Four records per thread and a tree of eight levels.
    for (std::size_t n = 0; n < 8; ++n) EXPECT_NEAR(result[n], twin[n], 13.0 * kEps * twin[n]);
}

// Eigenmodes of a Jacobi sweep. A sweep multiplies them by the mean of their cosines.
class PassJacobi : public PassTest {
protected:
    // Largest error after 50 sweeps without a right-hand side, from q = f(cell). One sweep multiplies f by `factor`.
    template <class F>
    double errorAfterSweeps(F&& f, double factor) {
        constexpr int kSweeps = 50;
        Field weights = coarseAperture(step, obstacles(step));
        const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights), residual = target(8);
        upload(residual, std::vector<float>(8, 1.0f));
        Numbers zero(step.pressureCells), q(step.pressureCells);
        const JacobiPush push{levelOf(step.pressureCells), 0.0f};
        const engine::Buffer rhs = cellsToGpu(zero);
        forEach(step.pressureCells, [&](ivec3 c) { q(c) = f(dvec3(c)); });
        const engine::Buffer buffers[2] = {cellsToGpu(q), target(q.count())};
        const auto sweepOnce = [&](int sweep) {
            pass("jacobi", step.pressureCells,
                 {{"weights", w},
                  {"rhs", rhs},
                  {"pressureIn", buffers[sweep % 2]},
                  {"pressureOut", buffers[1 - sweep % 2]},
                  {"regular", regular},
                  {"residual", residual}},
                 push);
        };
        together([&] {
            for (int sweep = 0; sweep < kSweeps; ++sweep) sweepOnce(sweep);
        });
        const Numbers result = cellsFromGpu(buffers[kSweeps % 2], step.pressureCells);
        double error = 0.0;
        forEach(step.pressureCells, [&](ivec3 c) {
            const double difference = std::abs(result(c) - f(dvec3(c)) * std::pow(factor, kSweeps));
            error = difference <= error ? error : difference;  // keeps a NaN
        });
        return error;
    }
};

// cos(a i) cos(a j) cos(a k) with a = pi m / (n - 1) on the n^3 cells of a closed box is an eigenmode of the sweep. With equal wave numbers
// along the axes, the mean of a cell's neighbours is cos(a) times its value, also if it has fewer neighbours at a wall.
TEST_F(PassJacobi, DampsACosineModeByItsCosine) {
    const int n = sized(12, 64);
    step = makeStep({.cells = ivec3(n), .obstacles = false});
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    for (const int m : {1, 2, 5}) {
        const double a = glm::pi<double>() * m / (n - 1);
        const double error = errorAfterSweeps([&](dvec3 c) { return std::cos(a * c.x) * std::cos(a * c.y) * std::cos(a * c.z); },
                                              std::cos(a));
        // 50 sweeps of a few roundings each.
        expectAtMost(Row::CosineMode, fmt::format("walls, {}^3, wave number {}, largest error", n, m), error, 1e-5);
    }
}

// In a periodic box every cell has six neighbours, and wave numbers may differ.
TEST_F(PassJacobi, DampsAWaveByTheMeanOfItsCosines) {
    const ivec3 n = sized(ivec3(12, 8, 10), ivec3(64, 48, 56));
    step = makeStep({.cells = n, .obstacles = false, .periodic = 7});
    for (const dvec3 m : {dvec3(1, 0, 0), dvec3(0, 1, 1), dvec3(5, 1, 4)}) {
        const dvec3 a = 2.0 * glm::pi<double>() * m / dvec3(n);
        const double error = errorAfterSweeps([&](dvec3 c) { return std::cos(a.x * c.x) * std::cos(a.y * c.y) * std::cos(a.z * c.z); },
                                              (std::cos(a.x) + std::cos(a.y) + std::cos(a.z)) / 3.0);
        expectAtMost(Row::CosineMode, fmt::format("periodic, {}x{}x{}, wave numbers {} {} {}, largest error", n.x, n.y, n.z, m.x, m.y, m.z),
                     error, 1e-5);
    }
}

}  // namespace
}  // namespace wisp::test
