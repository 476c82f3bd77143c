// SPDX-License-Identifier: MIT
// The multigrid cycle of a liquid. Cells without liquid have q = 0 and no equation, and no pass changes them.
#include "compute/pressure/push.h"
#include "shaders/shared/tile.h"
#include "tests/gpu/pass_multigrid.h"
#include "tests/reference/liquid.h"

#include <glm/vector_relational.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace wisp::test {
namespace {

// Errors of values that are interpolated with coarse weights, and of a sweep: see MgProlong and kSweepRoundings in pass_multigrid*.cpp.
const ivec3 kTile(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z);
constexpr double kInterpolated = 3.0 * 24.0 * kEps, kSwept = 2.2 * (36.0 * kEps + double(kOmega) - 1.2);

class PassLiquidMultigrid : public PassMultigrid {
protected:
    void SetUp() override {
        PassMultigrid::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) useConstants({{"kExactFilter", 1}, {"kDirichletCells", 1}});
    }
    [[nodiscard]] bool isLiquid() const override { return true; }
    // A box of walls, open above. The liquid is below a wave and in drops. Ghost-fluid weights are up to 1 / WISP_LIQUID_LEAST.
    Field makeWeights() override {
        step.sidesLow = {WISP_WALL, WISP_WALL, WISP_OPEN};
        step.inflow = {};
        Field surface = random(step.cells, 1, -0.15, 0.15), open = aperture();
        forEach(step.cells, [&](ivec3 c) {
            const dvec3 p = (dvec3(c) + 0.5) / dvec3(step.cells);
            double phi = surface(c).x + 2.0 * (p.y - 0.45 - 0.2 * std::sin(5.0 * p.x + 4.0 * p.z));
            if (std::abs(phi) < WISP_LIQUID_LEAST) phi = std::copysign(WISP_LIQUID_LEAST, phi);
            if (c.x % 11 == 4 && c.z % 6 == 3 && p.y > 0.9) phi = -0.2;
            surface(c).x = open(c).w == 0.0 ? 1.0 : glm::clamp(phi, -1.0, 1.0);
        });
        return liquidWeights(step, open, surface, true);
    }
    // Random pressure, 0 in EMPTY cells.
    Numbers randomPressure(std::size_t n) {
        Numbers q = randomNumbers(levels[n].cells, -1.0, 1.0);
        forEach(q.size(), [&](ivec3 c) { q(c) = levels[n].weights(c).w > 0.0 ? q(c) : 0.0; });
        return q;
    }
    void expectEmptyIsZero(std::size_t n, const Numbers& q) {
        std::size_t empty = 0;
        forEach(q.size(), [&](ivec3 c) {
            if (levels[n].weights(c).w > 0.0) return;
            ++empty;
            ASSERT_EQ(q(c), 0.0) << c.x << " " << c.y << " " << c.z;
        });
        if (n == 0) {
            EXPECT_GT(empty, q.count() / 10);
            EXPECT_LT(empty, q.count() * 9 / 10);
        }
    }
    static ivec3 tiles(ivec3 cells) { return (cells + kTile - 1) / kTile; }
    static ivec3 tileThreads(ivec3 cells, int threads = WISP_TILE_THREADS) { return tiles(cells) * ivec3(threads, 1, 1); }
    // A buffer full of NaN. A cell that a pass skips is not mistaken for 0.
    engine::Buffer unwritten() {
        engine::Buffer result = everywhere();
        upload(result, std::vector<float>(static_cast<std::size_t>(end.first), std::numeric_limits<float>::quiet_NaN()));
        return result;
    }
    void colour(std::size_t n, const engine::Buffer& rhs, const engine::Buffer& pressure, int which, bool vec4s) {
        const SorPush push{positions[n], 0.0f, kOmega, which};
        pass(vec4s ? "red_black_sor_vec4" : "red_black_sor",
             vec4s ? levels[n].cells / ivec3(8, 1, 1) : (levels[n].cells + ivec3(1, 0, 0)) / ivec3(2, 1, 1),
             {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"residual", stop}}, push);
    }
    // One V-cycle: the simplest passes on the pressure grid, and one work group for all coarser levels.
    void cycle(const engine::Buffer& rhs, const engine::Buffer& pressure, bool vec4s) {
        for (const int which : {0, 1}) colour(0, rhs, pressure, which, vec4s);
        const RestrictPush down{positions[0], positions[1], 0.0f, kOmega};
        const engine::Buffer coarseRhs = everywhere(), scratch = everywhere(), coarsePressure = everywhere();
        pass(vec4s ? "mg_restrict_vec4" : "mg_restrict", vec4s ? levels[0].cells / ivec3(8, 1, 1) : levels[1].cells,
             {{"weights", weightsBuffer},
              {"regular", regularBuffer},
              {"rhs", rhs},
              {"pressureIn", pressure},
              {"coarseWeights", weightsBuffer},
              {"coarseRegular", regularBuffer},
              {"rhsOut", coarseRhs},
              {"pressureOut", scratch},
              {"residual", stop}},
             down);
        const BottomPush bottom{positions[1], static_cast<int>(levels.size()) - 1, 3, 0.0f, kOmega};
        pass("mg_bottom", {WISP_BOTTOM_THREADS, 1, 1},
             {{"weights", weightsBuffer}, {"rhs", coarseRhs}, {"pressureOut", coarsePressure}, {"residual", stop}}, bottom);
        const ProlongPush up{positions[0], positions[1], 0.0f};
        pass(vec4s ? "mg_prolong_vec4" : "mg_prolong", vec4s ? levels[0].cells / ivec3(8, 1, 1) : levels[0].cells,
             {{"weights", weightsBuffer},
              {"regular", regularBuffer},
              {"coarseIn", coarsePressure},
              {"pressure", pressure},
              {"fineRegular", regularBuffer},
              {"residual", stop}},
             up);
        for (int sweep = 0; sweep < 3; ++sweep)
            for (const int which : {0, 1}) colour(0, rhs, pressure, which, vec4s);
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidMultigrid,
                         testing::Values(PassCase{{16, 16, 8}, 1, 1, Precision::Float, false},
                                         PassCase{{24, 13, 7}, 1, 1, Precision::Float}, PassCase{{17, 15, 11}, 1, 1, Precision::Float},
                                         PassCase{{16, 32, 8}, 1, 1, Precision::Float, false}),
                         nameOf);

TEST_P(PassLiquidMultigrid, Weights) {
    const engine::Buffer result = target(4 * static_cast<std::size_t>(end.firstWeight)),
                         regular = target(static_cast<std::size_t>(end.firstRegular));
    const LevelWeightsPush push{positions[0], positions[1]};
    pass("mg_weights", {32 * (positions[1].cells.y + 1) * (positions[1].cells.z + 1), 1, 1},
         {{"weights", finestWeights}, {"weightsOut", result}, {"regularOut", regular}}, push);
    const BottomWeightsPush rest{positions[1], static_cast<int>(levels.size()) - 2};
    pass("mg_bottom_weights", {512, 1, 1}, {{"weights", result}, {"weightsOut", result}}, rest);
    const std::vector<float> values = download(result), flags = download(regular), twinFlags = download(regularBuffer);
    for (std::size_t n = 1; n < levels.size(); ++n) {
        std::size_t emptyWithWeights = 0;
        for (std::size_t i = 0; i < levels[n].weights.count(); ++i) {
            for (int k = 0; k < 4; ++k) {
                const double gpu = values[4 * (static_cast<std::size_t>(positions[n].firstWeight) + i) + static_cast<std::size_t>(k)],
                             twin = levels[n].weights.values()[i][k];
                // As in MgWeights: all sums are of positive numbers.
                ASSERT_NEAR(gpu, twin, (7.0 * double(n) + 6.0) * kEps * twin) << n << " " << i;
            }
            const dvec4 w = levels[n].weights.values()[i];
            emptyWithWeights += w.w == 0.0 && w.y > 0.0 ? 1 : 0;
        }
        if (n == 1) {
            EXPECT_GT(emptyWithWeights, 0u) << "no cell that the rule for EMPTY cells applies to";
        }
    }
    for (int i = 0; i < gpu::regularCount(positions[1]); ++i) {
        const auto word = static_cast<std::size_t>(positions[1].firstRegular + i);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(flags[word]), std::bit_cast<std::uint32_t>(twinFlags[word]));
    }
}

TEST_P(PassLiquidMultigrid, Prolong) {
    for (std::size_t n = 0; n + 1 < levels.size(); ++n) {
        for (const bool vec4s : {false, true}) {
            if (vec4s && !gpu::rowsOfVec4(positions[n])) continue;
            Numbers coarse = randomPressure(n + 1), q = randomPressure(n);
            const engine::Buffer coarseIn = onLevel(n + 1, coarse), pressure = onLevel(n, q);
            const ProlongPush push{positions[n], positions[n + 1], 0.0f};
            pass(vec4s ? "mg_prolong_vec4" : "mg_prolong", vec4s ? levels[n].cells / ivec3(8, 1, 1) : levels[n].cells,
                 {{"weights", weightsBuffer},
                  {"regular", regularBuffer},
                  {"coarseIn", coarseIn},
                  {"pressure", pressure},
                  {"fineRegular", regularBuffer},
                  {"residual", stop}},
                 push);
            Numbers twin = prolonged(levels[n], levels[n + 1], coarse);
            const double size = largest(twin) + 1.0;
            for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
            const Numbers gpu = fromLevel(n, pressure);
            expectNear(gpu, twin, kInterpolated * size);
            expectEmptyIsZero(n, gpu);
        }
    }
}

TEST_P(PassLiquidMultigrid, Up) {
    Numbers b = randomPressure(0), q = randomPressure(0), coarse = randomPressure(1);
    const engine::Buffer rhs = onLevel(0, b), pressure = onLevel(0, q), coarseIn = onLevel(1, coarse), result = unwritten();
    const TilePush push{positions[0], positions[1], 0.0f, kOmega};
    pass("mg_up", tileThreads(levels[0].cells),
         {{"weights", weightsBuffer},
          {"rhs", rhs},
          {"pressureIn", pressure},
          {"pressureOut", result},
          {"coarseIn", coarseIn},
          {"coarseWeights", weightsBuffer},
          {"residual", stop}},
         push);
    Numbers twin = prolonged(levels[0], levels[1], coarse);
    const double error = kInterpolated * (largest(twin) + 1.0);
    for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
    const double size = largest(twin) + 1.0;  // size before the sweep, which may reduce it
    sweep(levels[0], b, twin);
    const Numbers gpu = fromLevel(0, result);
    expectNear(gpu, twin, 2.0 * error + kSwept * (largest(twin) + size));
    expectEmptyIsZero(0, gpu);
}

// One sweep from zero and one from a given pressure, with the residual, in tiles. EMPTY cells have no residual, although they have
// neighbours.
TEST_P(PassLiquidMultigrid, Down) {
    Numbers b = randomPressure(0), q = randomPressure(0);
    const engine::Buffer rhs = onLevel(0, b), pressure = onLevel(0, q);
    const TilePush push{positions[0], positions[1], 0.0f, kOmega};
    double heaviest = 0.0;
    for (const dvec4& w : levels[0].weights.values()) heaviest = std::max(heaviest, w.w);
    for (const bool fromZero : {true, false}) {
        const engine::Buffer result = unwritten(), rhsOut = unwritten();
        std::vector<engine::Binding> bindings{
            {"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"rhsOut", rhsOut}, {"residual", stop}};
        if (!fromZero) bindings.emplace_back("pressureIn", pressure);
        pass(fromZero ? "mg_down" : "mg_sweep_down", tileThreads(levels[0].cells), bindings, push);
        Numbers twin = fromZero ? Numbers(levels[0].cells) : q;
        sweep(levels[0], b, twin);
        const Numbers gpu = fromLevel(0, result);
        expectNear(gpu, twin, kSwept * (largest(twin) + 1.0));
        expectEmptyIsZero(0, gpu);
        // Half of eight residuals of the GPU's q, with six products and three sums each.
        expectNear(fromLevel(1, rhsOut), restricted(levels[0], b, gpu), 0.5 * 8.0 * 9.0 * kEps * 2.0 * heaviest * (largest(gpu) + 1.0));
    }
}

TEST_P(PassLiquidMultigrid, Sweeps) {
    Numbers b = randomPressure(0), q = randomPressure(0);
    const engine::Buffer rhs = onLevel(0, b), pressure = onLevel(0, q), result = unwritten();
    const SweepsPush push{positions[0], 0.0f, kOmega};
    pass("mg_sweeps", tileThreads(levels[0].cells, WISP_SWEEPS_THREADS),
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"pressureOut", result}, {"residual", stop}}, push);
    Numbers twin = q;
    sweep(levels[0], b, twin);
    const double error = kSwept * (largest(twin) + 1.0);
    sweep(levels[0], b, twin);
    const Numbers gpu = fromLevel(0, result);
    expectNear(gpu, twin, 1.4 * 1.4 * error + kSwept * (largest(twin) + 1.0));  // see MgSweeps
    expectEmptyIsZero(0, gpu);
}

TEST_P(PassLiquidMultigrid, Bottom) {
    Numbers b = randomPressure(1);
    const engine::Buffer rhs = onLevel(1, b), result = everywhere();
    const BottomPush push{positions[1], static_cast<int>(levels.size()) - 1, 3, 0.0f, kOmega};
    pass("mg_bottom", {WISP_BOTTOM_THREADS, 1, 1}, {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"residual", stop}},
         push);
    Numbers twin(levels[1].cells);
    vCycle(levels, 1, b, twin);
    const Numbers gpu = fromLevel(1, result);
    expectNear(gpu, twin, 10.0 * 6.0 * 16.0 * kEps * largest(twin));  // see MgBottom
    expectEmptyIsZero(1, gpu);
}

// With one cell per thread, and with four cells per thread. The latter skips four cells at once if none has an equation.
TEST_P(PassLiquidMultigrid, CyclesLowerTheResidual) {
    Numbers b = randomPressure(0);
    double sumOfWeights = 0.0;
    for (const dvec4& w : weights.values()) sumOfWeights = std::hypot(sumOfWeights, w.w);
    for (const bool vec4s : {false, true}) {
        if (vec4s && !gpu::rowsOfVec4(positions[0])) continue;
        Numbers q(levels[0].cells), twin(levels[0].cells);
        const engine::Buffer rhs = onLevel(0, b), pressure = onLevel(0, q);
        double last = std::sqrt(pressureResidual(weights, b, q).r2);
        for (int n = 0; n < 4; ++n) {
            cycle(rhs, pressure, vec4s);
            vCycle(levels, 0, b, twin);
            const Numbers gpu = fromLevel(0, pressure);
            expectEmptyIsZero(0, gpu);
            const double now = std::sqrt(pressureResidual(weights, b, gpu).r2), exact = std::sqrt(pressureResidual(weights, b, twin).r2);
            EXPECT_LT(now, last) << n;
            // Each of the three sweeps rounds every q 16 times. The sweeps damp earlier rounding errors.
            EXPECT_NEAR(now, exact, 48.0 * kEps * largest(twin) * sumOfWeights) << n;
            last = now;
        }
    }
}

// A p and its sums. EMPTY cells must not contribute, or steps would seem to overshoot.
TEST_P(PassLiquidMultigrid, CgApply) {
    Numbers p = randomPressure(0), r = randomPressure(0);
    const engine::Buffer pBuffer = cellsToGpu(p), rBuffer = cellsToGpu(r), result = target(p.count());
    const auto count = static_cast<int>(p.count());
    const auto groups = static_cast<std::uint32_t>((count + 255) / 256);
    const engine::Buffer partials = target(8 * groups), sums = target(8);
    const JacobiPush push{positions[0], 0.0f};
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
    const Numbers w = applied(weights, p), gpu = cellsFromGpu(result, step.cells);
    double squares = 0.0, squaresError = 0.0;
    forEach(step.cells, [&](ivec3 c) {
        const double error = 16.0 * kEps * 2.0 * weights(c).w;  // six products, each of a weight and a difference below 2
        EXPECT_NEAR(gpu(c), w(c), error);
        squares += w(c) * w(c);
        squaresError += 2.0 * std::abs(w(c)) * error + error * error;
    });
    EXPECT_NEAR(download(sums)[3], squares, squaresError + 20.0 * kEps * squares);
    expectEmptyIsZero(0, gpu);
}

}  // namespace
}  // namespace wisp::test
