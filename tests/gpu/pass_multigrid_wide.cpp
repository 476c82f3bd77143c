// SPDX-License-Identifier: MIT
// Passes of a multigrid cycle that handle several cells per thread, or complete sweeps.
#include "compute/pressure/push.h"
#include "shaders/shared/tile.h"
#include "tests/gpu/pass_multigrid.h"

namespace wisp::test {
namespace {

/// The variants for rows whose length is a multiple of eight cells, on every level with such rows.
class PassVec4 : public PassMultigrid {};
INSTANTIATE_TEST_SUITE_P(Cases, PassVec4,
                         testing::Values(PassCase{{16, 9, 10}, 1, 1, Precision::Float}, PassCase{{40, 6, 7}, 1, 1, Precision::Float},
                                         PassCase{{72, 1, 3}, 1, 1, Precision::Float}, PassCase{{64, 8, 8}, 1, 1, Precision::Float},
                                         PassCase{{64, 25, 1}, 1, 1, Precision::Float}),
                         nameOf);

TEST_P(PassVec4, RedBlackSorVec4) {
    for (std::size_t n = 0; n < levels.size() && gpu::rowsOfVec4(places[n]); ++n) {
        for (const int colour : {0, 1}) {
            Numbers b = randomNumbers(levels[n].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
            const engine::Buffer rhs = onLevel(n, b), pressure = onLevel(n, q);
            const SorPush push{places[n], 0.0f, kOmega, colour};
            pass("red_black_sor_vec4", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
                 {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"residual", stop}},
                 push);
            Numbers twin = q;
            redBlackSor(levels[n].weights, b, twin, colour, 1.2);
            // 16 roundings of a sum whose weights have seven per level, and the rounding of omega.
            expectNear(fromLevel(n, pressure), twin, ((16.0 + 7.0 * double(n)) * kEps + kFloatOmega) * (2.0 * largest(twin) + 2.0));
        }
    }
}

TEST_P(PassVec4, JacobiVec4) {
    for (std::size_t n = 0; n < levels.size() && gpu::rowsOfVec4(places[n]); ++n) {
        Numbers b = randomNumbers(levels[n].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
        const engine::Buffer rhs = onLevel(n, b), pressure = onLevel(n, q);
        for (const bool converged : {false, true}) {
            const engine::Buffer result = everywhere(), residual = target(8);
            upload(residual, {converged ? 0.9e-6f : 1.1e-6f, 1.0f, 0, 0, 0, 0, 0, 0});  // relative residuals of 0.95e-3 and 1.05e-3
            const JacobiPush push{places[n], 1e-3f};
            useConstants({{"kExactFilter", 1}, {"kStops", 1}});
            pass("jacobi_vec4", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
                 {{"weights", weightsBuffer},
                  {"regular", regularBuffer},
                  {"rhs", rhs},
                  {"pressureIn", pressure},
                  {"pressureOut", result},
                  {"residual", residual}},
                 push);
            const Numbers twin = converged ? q : jacobi(levels[n].weights, b, q);
            expectNear(fromLevel(n, result), twin,
                       converged ? 0.0 : (16.0 + 7.0 * double(n)) * kEps * (2.0 * largest(twin) + 2.0));  // as in RedBlackSorVec4
        }
    }
}

TEST_P(PassVec4, MgRestrictVec4) {
    for (std::size_t n = 0; n + 1 < levels.size() && gpu::rowsOfVec4(places[n]); ++n) {
        Numbers b = randomNumbers(levels[n].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
        const engine::Buffer rhs = onLevel(n, b), pressure = onLevel(n, q), rhsOut = everywhere(), pressureOut = everywhere();
        const RestrictPush push{places[n], places[n + 1], 0.0f, kOmega};
        pass("mg_restrict_vec4", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
             {{"weights", weightsBuffer},
              {"regular", regularBuffer},
              {"rhs", rhs},
              {"pressureIn", pressure},
              {"coarseWeights", weightsBuffer},
              {"coarseRegular", regularBuffer},
              {"rhsOut", rhsOut},
              {"pressureOut", pressureOut},
              {"residual", stop}},
             push);
        double heaviest = 0.0;
        for (const dvec4& w : levels[n].weights.values()) heaviest = std::max(heaviest, w.w);
        expectNear(fromLevel(n + 1, rhsOut), restricted(levels[n], b, q), 72.0 * kEps * 2.0 * heaviest);  // see MgRestrict
        const Numbers start = started(levels[n + 1], fromLevel(n + 1, rhsOut));
        expectNear(fromLevel(n + 1, pressureOut), start, (4.0 * kEps + kFloatOmega) * largest(start));
    }
}

TEST_P(PassVec4, MgProlongVec4) {
    for (std::size_t n = 0; n + 1 < levels.size() && gpu::rowsOfVec4(places[n]); ++n) {
        Numbers coarse = randomNumbers(levels[n + 1].cells, -1.0, 1.0), q = randomNumbers(levels[n].cells, -1.0, 1.0);
        const engine::Buffer coarseIn = onLevel(n + 1, coarse), pressure = onLevel(n, q);
        const ProlongPush push{places[n], places[n + 1], 0.0f};
        pass("mg_prolong_vec4", {levels[n].cells.x / 8, levels[n].cells.y, levels[n].cells.z},
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
        expectNear(fromLevel(n, pressure), twin, 3.0 * 24.0 * kEps * size);  // see MgProlong
    }
}

// A half sweep has 16 roundings of sums, 20 of the weights in the mean's denominator, and the rounding of omega, which the twin uses
// exactly. The second half sweep multiplies the error of the first by at most 1.2.
constexpr double kSweepRoundings = 2.2 * (36.0 * kEps + double(kOmega) - 1.2);

ivec3 tileThreads(ivec3 cells, bool flat, int threads) {
    const ivec3 tile = flat ? ivec3(WISP_FLAT_TILE_X, WISP_FLAT_TILE_Y, 1) : ivec3(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z),
                tiles = (cells + tile - 1) / tile;
    return {tiles.x * threads, tiles.y, tiles.z};
}

/// Complete sweeps in tiles of 16x8x4 cells, or of 32x16 cells in flat grids. Boxes have one tile, several tiles, or a part of one.
class PassTiles : public PassMultigrid {
protected:
    void SetUp() override {
        PassMultigrid::SetUp();
        fine = 0;
        hasCoarse = levels.size() > 1;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassTiles,
                         testing::Values(PassCase{{33, 17, 9}, 1, 1, Precision::Float}, PassCase{{16, 8, 4}, 1, 1, Precision::Float},
                                         PassCase{{40, 6, 7}, 1, 1, Precision::Float}, PassCase{{1, 9, 17}, 1, 1, Precision::Float},
                                         PassCase{{32, 32, 16}, 1, 1, Precision::Float}, PassCase{{1, 1, 1}, 1, 1, Precision::Float},
                                         PassCase{{32, 16, 1}, 1, 1, Precision::Float}, PassCase{{70, 33, 1}, 1, 1, Precision::Float}),
                         nameOf);

TEST_P(PassTiles, MgSweeps) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), result = everywhere();
    const SweepsPush push{places[fine], 0.0f, kOmega};
    pass("mg_sweeps", tileThreads(levels[fine].cells, isFlat(step), WISP_SWEEPS_THREADS),
         {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"pressureOut", result}, {"residual", stop}}, push);
    Numbers twin = q;
    sweep(levels[fine], b, twin);
    const double error = kSweepRoundings * (largest(twin) + 1.0);
    sweep(levels[fine], b, twin);
    // The second sweep multiplies the error of the first by 1.2 + 0.2 in its red half, and again in its black half.
    expectNear(fromLevel(fine, result), twin, 1.4 * 1.4 * error + kSweepRoundings * (largest(twin) + 1.0));
}

// From zero and from a given pressure. A converged solve keeps its pressure.
TEST_P(PassTiles, MgDown) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q);
    TilePush push{places[fine], places[fine + 1], 0.0f, kOmega};
    const ivec3 threads = tileThreads(levels[fine].cells, isFlat(step), WISP_TILE_THREADS);
    double heaviest = 0.0;
    for (const dvec4& w : levels[fine].weights.values()) heaviest = std::max(heaviest, w.w);
    for (const bool fromZero : {true, false}) {
        const engine::Buffer rhsOut = everywhere(), pressureOut = everywhere();
        if (fromZero)
            pass("mg_down", threads,
                 {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", pressureOut}, {"rhsOut", rhsOut}, {"residual", stop}}, push);
        else
            pass("mg_sweep_down", threads,
                 {{"weights", weightsBuffer},
                  {"rhs", rhs},
                  {"pressureIn", pressure},
                  {"pressureOut", pressureOut},
                  {"rhsOut", rhsOut},
                  {"residual", stop}},
                 push);
        Numbers twin = fromZero ? Numbers(b.size()) : q;
        sweep(levels[fine], b, twin);
        const double error = kSweepRoundings * (largest(twin) + 1.0);
        expectNear(fromLevel(fine, pressureOut), twin, error);
        // Half of eight residuals. Each has the error of q twice, plus six products and differences of its own.
        expectNear(fromLevel(fine + 1, rhsOut), restricted(levels[fine], b, twin),
                   0.5 * 8.0 * heaviest * (2.0 * error + (6.0 + 3.0) * kEps * 2.0 * (largest(twin) + 1.0)));
    }
    push.tolerance = 2.0f;  // above the residual of 1: converged
    const engine::Buffer rhsOut = everywhere(), kept = everywhere();
    useConstants({{"kExactFilter", 1}, {"kStops", 1}});
    pass(
        "mg_sweep_down", threads,
        {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureIn", pressure}, {"pressureOut", kept}, {"rhsOut", rhsOut}, {"residual", stop}},
        push);
    expectNear(fromLevel(fine, kept), q, 0.0);
}

TEST_P(PassTiles, MgUp) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0),
            coarse = randomNumbers(levels[fine + 1].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), coarseIn = onLevel(fine + 1, coarse), result = everywhere();
    const TilePush push{places[fine], places[fine + 1], 0.0f, kOmega};
    pass("mg_up", tileThreads(levels[fine].cells, isFlat(step), WISP_TILE_THREADS),
         {{"weights", weightsBuffer},
          {"rhs", rhs},
          {"pressureIn", pressure},
          {"pressureOut", result},
          {"coarseIn", coarseIn},
          {"coarseWeights", weightsBuffer},
          {"residual", stop}},
         push);
    Numbers twin = prolonged(levels[fine], levels[fine + 1], coarse);
    // Three products of an offset, a weight with 20 roundings, and a difference.
    const double error = 3.0 * 24.0 * kEps * (largest(twin) + 1.0);
    for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
    sweep(levels[fine], b, twin);
    // A half sweep multiplies this error by at most 1.2 + 0.2.
    expectNear(fromLevel(fine, result), twin, 2.0 * error + kSweepRoundings * (largest(twin) + 1.0));
}

}  // namespace
}  // namespace wisp::test
