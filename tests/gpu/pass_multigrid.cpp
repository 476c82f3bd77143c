// SPDX-License-Identifier: MIT
// The parts of a multigrid cycle and of conjugate gradients.
#include "shaders/shared/tile.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/multigrid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace wisp::test {
namespace {

constexpr float kOmega = 1.2f;  // of every sweep in a cycle
constexpr double kFloatOmega = double(kOmega) - 1.2;  // the twin has the exact number

// A half sweep: 16 roundings of sums whose weights carry 20 in the mean's denominator, and of the smoothing factor, whose exact
// number the twin has; the second half takes the error of the first with a factor of 1.2 at most.
constexpr double kSweepRoundings = 2.2 * (36.0 * kEps + double(kOmega) - 1.2);

ivec3 tileThreads(ivec3 cells) {
    const ivec3 tile(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z), tiles = (cells + tile - 1) / tile;
    return {tiles.x * WISP_TILE_THREADS, tiles.y, tiles.z};
}

double largest(const Numbers& numbers) {
    double result = 0.0;
    for (const double v : numbers.values()) result = std::max(result, std::abs(v));
    return result;
}

/// Level `fine` of the pyramid of half a box of obstacles, and the one below it; all levels lie in one buffer a kind.
class PassMultigrid : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        weights = coarseOpenness(step, openness());
        finestWeights = weightsToGpu(weights);
        levels = pyramid(weights);
        for (gpu::PressureLevel l = levelOf(step.pressureCells); places.size() < levels.size(); l = gpu::coarser(l)) places.push_back(l);
        end = gpu::coarser(places.back());
        fine = levels.size() > 2 ? 1 : 0;
        hasCoarse = fine + 1 < levels.size();
        std::vector<float> allWeights;
        std::vector<std::uint32_t> allRegular;
        for (const Level& level : levels) {
            for (const dvec4& w : level.weights.values())
                for (int n = 0; n < 4; ++n) allWeights.push_back(static_cast<float>(w[n]));
            const std::vector<float> words = download(regularToGpu(level.weights));
            for (const float word : words) allRegular.push_back(std::bit_cast<std::uint32_t>(word));
        }
        weightsBuffer = buffer("weights", allWeights.size() * sizeof(float));
        upload(weightsBuffer, allWeights);
        std::vector<float> flags;
        for (const std::uint32_t word : allRegular) flags.push_back(std::bit_cast<float>(word));
        regularBuffer = buffer("regular", flags.size() * sizeof(float));
        upload(regularBuffer, flags);
        stop = target(8);
        upload(stop, std::vector<float>(8, 1.0f));
    }
    /// A buffer for all levels that holds `numbers` on level n and nothing elsewhere; rounds them as the GPU has them.
    engine::Buffer onLevel(std::size_t n, Numbers& numbers) {
        std::vector<float> values(static_cast<std::size_t>(end.first));
        forEach(numbers.size(), [&](ivec3 c) {
            float& value = values[static_cast<std::size_t>(gpu::cellIndex(places[n], c))];
            value = static_cast<float>(numbers(c));
            numbers(c) = value;
        });
        engine::Buffer result = target(values.size());
        upload(result, values);
        return result;
    }
    Numbers fromLevel(std::size_t n, const engine::Buffer& source) {
        const std::vector<float> values = download(source);
        Numbers numbers(levels[n].cells);
        forEach(numbers.size(), [&](ivec3 c) { numbers(c) = values[static_cast<std::size_t>(gpu::cellIndex(places[n], c))]; });
        return numbers;
    }
    engine::Buffer everywhere() { return target(static_cast<std::size_t>(end.first)); }

    Field weights;
    std::vector<Level> levels;
    std::vector<gpu::PressureLevel> places;
    gpu::PressureLevel end{};
    std::size_t fine = 0;
    bool hasCoarse = false;
    engine::Buffer finestWeights, weightsBuffer, regularBuffer, stop;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassMultigrid, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassMultigrid, MgWeights) {
    if (!hasCoarse) return;
    const engine::Buffer result = target(4 * static_cast<std::size_t>(end.firstWeight)), regular = target(static_cast<std::size_t>(end.firstRegular));
    struct {
        gpu::PressureLevel finest, next;
        int levels;
    } push{places[0], places[1], 1};
    // The next level by as many groups as it has rows, all others by one.
    pass("mg_weights", {32 * (places[1].cells.y + 1) * (places[1].cells.z + 1), 1, 1},
         {{"weights", finestWeights}, {"weightsOut", result}, {"regularOut", regular}}, push);
    if (levels.size() > 2) {
        push = {places[1], places[2], static_cast<int>(levels.size()) - 2};
        pass("mg_weights", {256, 1, 1}, {{"weights", result}, {"weightsOut", result}, {"regularOut", regular}}, push);
    }
    const std::vector<float> values = download(result), flags = download(regular), twinFlags = download(regularBuffer);
    for (std::size_t n = 1; n < levels.size(); ++n) {
        Field gpuWeights(levels[n].weights.size());
        double heaviest = 0.0;
        for (std::size_t i = 0; i < gpuWeights.count(); ++i) {
            for (int k = 0; k < 4; ++k) {
                gpuWeights.values()[i][k] = values[4 * (static_cast<std::size_t>(places[n].firstWeight) + i) + static_cast<std::size_t>(k)];
                heaviest = std::max(heaviest, levels[n].weights.values()[i][k]);
            }
        }
        // Seven roundings a level of sums of positive numbers, and six sums for the diagonal.
        expectNear(gpuWeights, levels[n].weights, (7.0 * double(n) + 6.0) * kEps * heaviest, false);
        for (int i = 0; i < gpu::regularCount(places[n]); ++i) {
            const auto word = static_cast<std::size_t>(places[n].firstRegular + i);
            EXPECT_EQ(std::bit_cast<std::uint32_t>(flags[word]), std::bit_cast<std::uint32_t>(twinFlags[word])) << "level " << n;
        }
    }
}

TEST_P(PassMultigrid, MgStart) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), result = everywhere();
    const struct {
        gpu::PressureLevel level;
        float tolerance, omega;
    } push{places[fine], 0.0f, kOmega};
    pass("mg_start", levels[fine].cells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"residual", stop}}, push);
    const Numbers twin = started(levels[fine], b);
    expectNear(fromLevel(fine, result), twin, (4.0 * kEps + kFloatOmega) * largest(twin));  // a product and a quotient
}

TEST_P(PassMultigrid, MgRestrict) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), rhsOut = everywhere(), pressureOut = everywhere();
    const struct {
        gpu::PressureLevel fine, coarse;
        float tolerance, omega;
    } push{places[fine], places[fine + 1], 0.0f, kOmega};
    pass("mg_restrict", levels[fine + 1].cells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"coarseWeights", weightsBuffer},
          {"coarseRegular", regularBuffer}, {"rhsOut", rhsOut}, {"pressureOut", pressureOut}, {"residual", stop}}, push);
    double heaviest = 0.0;
    for (const dvec4& w : levels[fine].weights.values()) heaviest = std::max(heaviest, w.w);
    // Eight residuals of six products each: 8 (6 + 3) roundings of two diagonals.
    const double tolerance = 72.0 * kEps * 2.0 * heaviest;
    Numbers twin = restricted(levels[fine], b, q);
    expectNear(fromLevel(fine + 1, rhsOut), twin, tolerance);
    for (double& v : twin.values()) v = static_cast<float>(v);
    const Numbers start = started(levels[fine + 1], fromLevel(fine + 1, rhsOut));
    expectNear(fromLevel(fine + 1, pressureOut), start, (4.0 * kEps + kFloatOmega) * largest(start));
}

/// The variants for rows of multiples of eight cells, on every level that they are for.
class PassFours : public PassMultigrid {};
INSTANTIATE_TEST_SUITE_P(Cases, PassFours,
                         testing::Values(PassCase{{16, 9, 10}, 1, 1, Precision::Float}, PassCase{{40, 6, 7}, 1, 1, Precision::Float},
                                         PassCase{{72, 1, 3}, 1, 1, Precision::Float}, PassCase{{64, 8, 8}, 1, 1, Precision::Float}), nameOf);

TEST_P(PassFours, RedBlackSorFours) {
    for (std::size_t n = 0; n < levels.size() && gpu::rowsOfFours(places[n]); ++n) {
        for (const int colour : {0, 1}) {
            Numbers b = randomNumbers(levels[n].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
            const engine::Buffer rhs = onLevel(n, b), pressure = onLevel(n, q);
            const struct {
                gpu::PressureLevel level;
                float tolerance, omega;
                int colour;
            } push{places[n], 0.0f, kOmega, colour};
            pass("red_black_sor_fours", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
                 {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"residual", stop}}, push);
            Numbers twin = q;
            redBlackSor(levels[n].weights, b, twin, colour, 1.2);
            // 16 roundings of a sum whose weights carry seven a level, and of omega.
            expectNear(fromLevel(n, pressure), twin, ((16.0 + 7.0 * double(n)) * kEps + kFloatOmega) * (2.0 * largest(twin) + 2.0));
        }
    }
}

TEST_P(PassFours, MgRestrictFours) {
    for (std::size_t n = 0; n + 1 < levels.size() && gpu::rowsOfFours(places[n]); ++n) {
        Numbers b = randomNumbers(levels[n].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
        const engine::Buffer rhs = onLevel(n, b), pressure = onLevel(n, q), rhsOut = everywhere(), pressureOut = everywhere();
        const struct {
            gpu::PressureLevel fine, coarse;
            float tolerance, omega;
        } push{places[n], places[n + 1], 0.0f, kOmega};
        pass("mg_restrict_fours", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
             {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"coarseWeights", weightsBuffer},
              {"coarseRegular", regularBuffer}, {"rhsOut", rhsOut}, {"pressureOut", pressureOut}, {"residual", stop}}, push);
        double heaviest = 0.0;
        for (const dvec4& w : levels[n].weights.values()) heaviest = std::max(heaviest, w.w);
        expectNear(fromLevel(n + 1, rhsOut), restricted(levels[n], b, q), 72.0 * kEps * 2.0 * heaviest);  // see MgRestrict
        const Numbers start = started(levels[n + 1], fromLevel(n + 1, rhsOut));
        expectNear(fromLevel(n + 1, pressureOut), start, (4.0 * kEps + kFloatOmega) * largest(start));
    }
}

TEST_P(PassFours, MgProlongFours) {
    for (std::size_t n = 0; n + 1 < levels.size() && gpu::rowsOfFours(places[n]); ++n) {
        Numbers coarse = randomNumbers(levels[n + 1].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
        const engine::Buffer coarseIn = onLevel(n + 1, coarse), pressure = onLevel(n, q);
        const struct {
            gpu::PressureLevel fine, coarse;
            float tolerance;
        } push{places[n], places[n + 1], 0.0f};
        pass("mg_prolong_fours", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
             {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"coarseIn", coarseIn}, {"pressure", pressure}, {"residual", stop}}, push);
        Numbers twin = prolonged(levels[n], levels[n + 1], coarse);
        const double size = largest(twin) + 1.0;
        for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
        expectNear(fromLevel(n, pressure), twin, 3.0 * 24.0 * kEps * size);  // see MgProlong
    }
}

TEST_P(PassMultigrid, MgProlong) {
    if (!hasCoarse) return;
    Numbers coarse = randomNumbers(levels[fine + 1].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer coarseIn = onLevel(fine + 1, coarse), pressure = onLevel(fine, q);
    const struct {
        gpu::PressureLevel fine, coarse;
        float tolerance;
    } push{places[fine], places[fine + 1], 0.0f};
    pass("mg_prolong", levels[fine].cells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"coarseIn", coarseIn}, {"pressure", pressure}, {"residual", stop}}, push);
    Numbers twin = prolonged(levels[fine], levels[fine + 1], coarse);
    const double size = largest(twin) + 1.0;
    for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
    // Three products of an offset, a weight that carries 20 roundings and a difference.
    expectNear(fromLevel(fine, pressure), twin, 3.0 * 24.0 * kEps * size);
}

TEST_P(PassMultigrid, MgSweep) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), result = everywhere();
    const struct {
        gpu::PressureLevel level;
        float tolerance, omega;
    } push{places[fine], 0.0f, kOmega};
    pass("mg_sweep", tileThreads(levels[fine].cells),
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"pressureOut", result},
          {"residual", stop}}, push);
    Numbers twin = q;
    sweep(levels[fine], b, twin);
    expectNear(fromLevel(fine, result), twin, kSweepRoundings * (largest(twin) + 1.0));
}

TEST_P(PassMultigrid, MgDown) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), rhsOut = everywhere(), pressureOut = everywhere();
    const struct {
        gpu::PressureLevel level, coarse;
        float tolerance, omega;
    } push{places[fine], places[fine + 1], 0.0f, kOmega};
    pass("mg_down", tileThreads(levels[fine].cells),
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", pressureOut}, {"rhsOut", rhsOut},
          {"residual", stop}}, push);
    Numbers twin(b.size());
    sweep(levels[fine], b, twin);
    const double error = kSweepRoundings * (largest(twin) + 1.0);
    expectNear(fromLevel(fine, pressureOut), twin, error);
    double heaviest = 0.0;
    for (const dvec4& w : levels[fine].weights.values()) heaviest = std::max(heaviest, w.w);
    // Half of eight residuals; each carries the error of q twice, and six products and differences of its own.
    expectNear(fromLevel(fine + 1, rhsOut), restricted(levels[fine], b, twin),
               0.5 * 8.0 * heaviest * (2.0 * error + (6.0 + 3.0) * kEps * 2.0 * (largest(twin) + 1.0)));
}

TEST_P(PassMultigrid, MgUp) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0),
            coarse = randomNumbers(levels[fine + 1].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), coarseIn = onLevel(fine + 1, coarse), result = everywhere();
    const struct {
        gpu::PressureLevel level, coarse;
        float tolerance, omega;
    } push{places[fine], places[fine + 1], 0.0f, kOmega};
    pass("mg_up", tileThreads(levels[fine].cells),
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"pressureOut", result},
          {"coarseIn", coarseIn}, {"coarseWeights", weightsBuffer}, {"residual", stop}}, push);
    Numbers twin = prolonged(levels[fine], levels[fine + 1], coarse);
    // Three products of an offset, a weight that carries 20 roundings and a difference.
    const double error = 3.0 * 24.0 * kEps * (largest(twin) + 1.0);
    for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
    sweep(levels[fine], b, twin);
    // A half sweep makes at most 1.2 + .2 times an error of it.
    expectNear(fromLevel(fine, result), twin, 2.0 * error + kSweepRoundings * (largest(twin) + 1.0));
}

TEST_P(PassMultigrid, MgBottom) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), result = everywhere();
    const struct {
        gpu::PressureLevel top;
        int levels, after;
        float tolerance, omega;
    } push{places[fine], static_cast<int>(levels.size() - fine), 3, 0.0f, kOmega};
    pass("mg_bottom", {WISP_BOTTOM_THREADS, 1, 1},
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"residual", stop}}, push);
    Numbers twin(levels[fine].cells);
    vCycle(levels, fine, b, twin);
    // Ten passes on each of at most six levels, each with 16 roundings of the largest pressure.
    expectNear(fromLevel(fine, result), twin, 10.0 * 6.0 * 16.0 * kEps * largest(twin));
}

TEST_P(PassMultigrid, CgResidual) {
    Numbers b = randomNumbers(step.pressureCells, -1.0, 1.0), q = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer rhs = cellsToGpu(b), pressure = cellsToGpu(q), result = target(b.count());
    pass("cg_residual", step.pressureCells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"remainderOut", result}}, places[0]);
    Numbers twin = applied(weights, q);
    forEach(twin.size(), [&](ivec3 c) { twin(c) = weights(c).w > 0.0 ? b(c) - twin(c) : 0.0; });
    expectNear(cellsFromGpu(result, step.pressureCells), twin, 16.0 * kEps * 25.0);  // six products each below 2, and 12
}

TEST_P(PassMultigrid, CgDotAndDirection) {
    Numbers z = randomNumbers(step.pressureCells, -1.0, 1.0), w = randomNumbers(step.pressureCells, -1.0, 1.0),
            p = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer zBuffer = cellsToGpu(z), wBuffer = cellsToGpu(w);
    const auto count = static_cast<int>(z.count());
    const auto groups = static_cast<std::uint32_t>((count + 255) / 256);
    const engine::Buffer partials = target(8 * groups), dots = target(8), products = target(8);
    pass("cg_dot", {count, 1, 1}, {{"preconditioned", zBuffer}, {"applied", wBuffer}, {"partialsOut", partials}}, count);
    pass("fold", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", dots}}, groups);
    double zw = 0.0;
    for (std::size_t i = 0; i < z.count(); ++i) zw += z.values()[i] * w.values()[i];
    EXPECT_NEAR(download(dots)[0], zw, 20.0 * kEps * double(count));
    // In order: later iterations, after a step that was cut short (alpha w.w > 2 r.w), and the first one.
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
        const struct {
            int count, first;
            float tolerance;
        } push{count, c.first, 0.0f};
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

TEST_P(PassMultigrid, CgApply) {
    Numbers p = randomNumbers(step.pressureCells, -1.0, 1.0), r = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer pBuffer = cellsToGpu(p), rBuffer = cellsToGpu(r), result = target(p.count());
    const auto count = static_cast<int>(p.count());
    const auto groups = static_cast<std::uint32_t>((count + 255) / 256);
    const engine::Buffer partials = target(8 * groups), sums = target(8);
    const struct {
        gpu::PressureLevel level;
        float tolerance;
    } push{places[0], 0.0f};
    pass("cg_apply", {count, 1, 1},
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"direction", pBuffer}, {"remainder", rBuffer}, {"appliedOut", result},
          {"partialsOut", partials}, {"residual", stop}}, push);
    pass("fold", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", sums}}, groups);
    const Numbers w = applied(weights, p);
    const double error = 16.0 * kEps * 24.0;  // six products each below 2, and 12
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

TEST_P(PassMultigrid, CgStep) {
    Numbers p = randomNumbers(step.pressureCells, -1.0, 1.0), q = randomNumbers(step.pressureCells, -1.0, 1.0);
    const engine::Buffer direction = cellsToGpu(p), products = target(8);
    const auto count = static_cast<int>(p.count());
    // The usual step; one that would overshoot; and one along a direction that A sends to 0.
    const std::vector<std::vector<float>> cases{{2.0f, 1.0f, 1.0f, 1.0f, 0, 0, 0, 0}, {2.0f, 1.0f, 0.2f, 1.0f, 0, 0, 0, 0}, std::vector<float>(8)};
    for (const std::vector<float>& sums : cases) {
        upload(products, sums);
        const engine::Buffer pressure = cellsToGpu(q);
        const struct {
            int count;
            float tolerance;
        } push{count, 0.0f};
        pass("cg_step", {count, 1, 1}, {{"direction", direction}, {"pressure", pressure}, {"products", products}, {"residual", stop}}, push);
        const double alpha = sums[0] > 0.0f ? Products{sums[0], sums[1], sums[2], sums[3]}.step() : 0.0;
        Numbers twin = q;
        for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += alpha * p.values()[i];
        expectNear(cellsFromGpu(pressure, step.pressureCells), twin, 4.0 * kEps);
    }
}

}  // namespace
}  // namespace wisp::test
