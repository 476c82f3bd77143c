// SPDX-License-Identifier: MIT
// The passes of the conjugate gradient solver.
#include "compute/pressure/push.h"
#include "tests/gpu/pass_multigrid.h"

#include <array>

namespace wisp::test {
namespace {

class PassConjugateGradient : public PassMultigrid {};
INSTANTIATE_TEST_SUITE_P(Cases, PassConjugateGradient, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassConjugateGradient, CgResidual) {
    Numbers b = randomNumbers(step.pressureCells, -1.0, 1.0), q = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer rhs = cellsToGpu(b), pressure = cellsToGpu(q), result = target(b.count());
    pass("cg_residual", step.pressureCells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"remainderOut", result}},
         places[0]);
    Numbers twin = applied(weights, q, periodicAxes(step));
    forEach(twin.size(), [&](ivec3 c) { twin(c) = weights(c).w > 0.0 ? b(c) - twin(c) : 0.0; });
    expectNear(cellsFromGpu(result, step.pressureCells), twin, 16.0 * kEps * 25.0);  // six products below 2 each, and one of 12
}

TEST_P(PassConjugateGradient, CgDotAndDirection) {
    Numbers z = randomNumbers(step.pressureCells, -1.0, 1.0), w = randomNumbers(step.pressureCells, -1.0, 1.0),
            p = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer zBuffer = cellsToGpu(z), wBuffer = cellsToGpu(w);
    const auto count = static_cast<int>(z.count());
    const auto groups = static_cast<std::uint32_t>((count + 255) / 256);
    const engine::Buffer partials = target(8 * groups), dots = target(8), products = target(8);
    pass("cg_dot", {count, 1, 1}, {{"preconditioned", zBuffer}, {"applied", wBuffer}, {"partialsOut", partials}}, count);
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", dots}}, groups);
    double zw = 0.0;
    for (std::size_t i = 0; i < z.count(); ++i) zw += z.values()[i] * w.values()[i];
    EXPECT_NEAR(download(dots)[0], zw, 20.0 * kEps * double(count));
    // In order: a later iteration, an iteration after a shortened step (alpha w.w > 2 r.w), and the first iteration.
    const struct {
        std::vector<float> products;
        int first;
        bool alone;
    } cases[] = {{{2.0f, 1.0f, 1.0f, 1.0f, 0, 0, 0, 0}, 0, false},
                 {{2.0f, 1.0f, 0.2f, 1.0f, 0, 0, 0, 0}, 0, true},
                 {{2.0f, 1.0f, 1.0f, 1.0f, 0, 0, 0, 0}, 1, true}};
    for (const auto& c : cases) {
        upload(products, c.products);
        const engine::Buffer pBuffer = cellsToGpu(p);
        const CgDirectionPush push{count, c.first, 0.0f};
        pass("cg_direction", {count, 1, 1},
             {{"preconditioned", zBuffer}, {"direction", pBuffer}, {"dots", dots}, {"products", products}, {"residual", stop}}, push);
        const Products twinProducts{c.products[0], c.products[1], c.products[2], c.products[3]};
        EXPECT_EQ(c.alone, c.first != 0 || twinProducts.overshoots());
        Numbers twin = z;
        const double beta = c.alone ? 0.0 : -zw / twinProducts.pw;
        for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += beta * p.values()[i];
        expectNear(cellsFromGpu(pBuffer, step.pressureCells), twin, 24.0 * kEps * (1.0 + double(count)));
    }
}

TEST_P(PassConjugateGradient, CgApply) {
    Numbers p = randomNumbers(step.pressureCells, -1.0, 1.0), r = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer pBuffer = cellsToGpu(p), rBuffer = cellsToGpu(r), result = target(p.count());
    const auto count = static_cast<int>(p.count());
    const auto groups = static_cast<std::uint32_t>((count + 255) / 256);
    const engine::Buffer partials = target(8 * groups), sums = target(8);
    const JacobiPush push{places[0], 0.0f};
    pass("cg_apply", {count, 1, 1},
         {{"weights", weightsBuffer},
          {"regular", regularBuffer},
          {"direction", pBuffer},
          {"remainder", rBuffer},
          {"appliedOut", result},
          {"partialsOut", partials},
          {"residual", stop}},
         push);
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    const Numbers w = applied(weights, p, periodicAxes(step));
    const double error = 16.0 * kEps * 24.0;  // six products below 2 each, and one of 12
    expectNear(cellsFromGpu(result, step.pressureCells), w, error);
    std::array<double, 4> twin{};
    double squares = 0.0;
    for (std::size_t i = 0; i < w.count(); ++i) {
        const double pi = p.values()[i], ri = r.values()[i], wi = w.values()[i];
        const std::array<double, 4> terms{pi * wi, pi * ri, ri * wi, wi * wi};
        for (std::size_t n = 0; n < 4; ++n) twin[n] += terms[n];
        squares += 1.0 + 2.0 * std::abs(wi) + wi * wi;
    }
    const std::vector<float> gpuSums = download(sums);
    const double tolerance = 20.0 * kEps * squares + 3.0 * error * std::sqrt(double(count) * squares);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(gpuSums[n], twin[n], tolerance) << n;
}

TEST_P(PassConjugateGradient, CgStep) {
    Numbers p = randomNumbers(step.pressureCells, -1.0, 1.0), q = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer direction = cellsToGpu(p), products = target(8);
    const auto count = static_cast<int>(p.count());
    // A regular step, a step that would overshoot, and a step along a direction that A maps to 0.
    const std::vector<std::vector<float>> cases{
        {2.0f, 1.0f, 1.0f, 1.0f, 0, 0, 0, 0}, {2.0f, 1.0f, 0.2f, 1.0f, 0, 0, 0, 0}, std::vector<float>(8)};
    for (const std::vector<float>& sums : cases) {
        upload(products, sums);
        const engine::Buffer pressure = cellsToGpu(q);
        const CgStepPush push{count, 0.0f};
        pass("cg_step", {count, 1, 1}, {{"direction", direction}, {"pressure", pressure}, {"products", products}, {"residual", stop}},
             push);
        const double alpha = sums[0] > 0.0f ? Products{sums[0], sums[1], sums[2], sums[3]}.step() : 0.0;
        Numbers twin = q;
        for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += alpha * p.values()[i];
        expectNear(cellsFromGpu(pressure, step.pressureCells), twin, 4.0 * kEps);
    }
}

}  // namespace
}  // namespace wisp::test
