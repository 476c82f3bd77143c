// SPDX-License-Identifier: MIT
// The passes of a multigrid cycle.
#include "tests/gpu/pass_multigrid.h"
#include "compute/pressure/push.h"

namespace wisp::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cases, PassMultigrid, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassMultigrid, MgWeights) {
    if (!hasCoarse) return;
    const engine::Buffer result = target(4 * static_cast<std::size_t>(end.firstWeight)),
                         regular = target(static_cast<std::size_t>(end.firstRegular));
    // mg_weights computes the next level with one group per row. mg_bottom_weights computes all other levels in a single group.
    const LevelWeightsPush push{places[0], places[1]};
    pass("mg_weights", {32 * (places[1].cells.y + 1) * (places[1].cells.z + 1), 1, 1},
         {{"weights", finestWeights}, {"weightsOut", result}, {"regularOut", regular}}, push);
    const BottomWeightsPush rest{places[1], static_cast<int>(levels.size()) - 2};
    pass("mg_bottom_weights", {512, 1, 1}, {{"weights", result}, {"weightsOut", result}}, rest);
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
        // Seven roundings per level for sums of positive numbers, and six sums for the diagonal.
        expectNear(gpuWeights, levels[n].weights, (7.0 * double(n) + 6.0) * kEps * heaviest, false);
    }
    for (int i = 0; i < gpu::regularCount(places[1]); ++i) {
        const auto word = static_cast<std::size_t>(places[1].firstRegular + i);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(flags[word]), std::bit_cast<std::uint32_t>(twinFlags[word]));
    }
}

TEST_P(PassMultigrid, MgStart) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), result = everywhere();
    const SweepsPush push{places[fine], 0.0f, kOmega};
    pass("mg_start", levels[fine].cells,
         {{"weights", weightsBuffer}, {"regular", regularBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"residual", stop}}, push);
    const Numbers twin = started(levels[fine], b);
    expectNear(fromLevel(fine, result), twin, (4.0 * kEps + kFloatOmega) * largest(twin));  // a product and a quotient
}

TEST_P(PassMultigrid, MgRestrict) {
    if (!hasCoarse) return;
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), pressure = onLevel(fine, q), rhsOut = everywhere(), pressureOut = everywhere();
    const RestrictPush push{places[fine], places[fine + 1], 0.0f, kOmega};
    pass("mg_restrict", levels[fine + 1].cells,
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
    for (const dvec4& w : levels[fine].weights.values()) heaviest = std::max(heaviest, w.w);
    // Eight residuals of six products each: 8 (6 + 3) roundings of two diagonals.
    const double tolerance = 72.0 * kEps * 2.0 * heaviest;
    Numbers twin = restricted(levels[fine], b, q);
    expectNear(fromLevel(fine + 1, rhsOut), twin, tolerance);
    for (double& v : twin.values()) v = static_cast<float>(v);
    const Numbers start = started(levels[fine + 1], fromLevel(fine + 1, rhsOut));
    expectNear(fromLevel(fine + 1, pressureOut), start, (4.0 * kEps + kFloatOmega) * largest(start));
}

TEST_P(PassMultigrid, MgProlong) {
    if (!hasCoarse) return;
    Numbers coarse = randomNumbers(levels[fine + 1].cells, -1.0, 1.0), q = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer coarseIn = onLevel(fine + 1, coarse), pressure = onLevel(fine, q);
    const ProlongPush push{places[fine], places[fine + 1], 0.0f};
    pass("mg_prolong", levels[fine].cells,
         {{"weights", weightsBuffer},
          {"regular", regularBuffer},
          {"coarseIn", coarseIn},
          {"pressure", pressure},
          {"fineRegular", regularBuffer},
          {"residual", stop}},
         push);
    Numbers twin = prolonged(levels[fine], levels[fine + 1], coarse);
    const double size = largest(twin) + 1.0;
    for (std::size_t i = 0; i < twin.count(); ++i) twin.values()[i] += q.values()[i];
    // Three products of an offset, a weight with 20 roundings, and a difference.
    expectNear(fromLevel(fine, pressure), twin, 3.0 * 24.0 * kEps * size);
}

TEST_P(PassMultigrid, MgBottom) {
    Numbers b = randomNumbers(levels[fine].cells, -1.0, 1.0);
    const engine::Buffer rhs = onLevel(fine, b), result = everywhere();
    const BottomPush push{places[fine], static_cast<int>(levels.size() - fine), 3, 0.0f, kOmega};
    pass("mg_bottom", {WISP_BOTTOM_THREADS, 1, 1}, {{"weights", weightsBuffer}, {"rhs", rhs}, {"pressureOut", result}, {"residual", stop}},
         push);
    Numbers twin(levels[fine].cells);
    vCycle(levels, fine, b, twin);
    // Ten passes on each of at most six levels, each with 16 roundings of the largest pressure.
    expectNear(fromLevel(fine, result), twin, 10.0 * 6.0 * 16.0 * kEps * largest(twin));
}

}  // namespace
}  // namespace wisp::test
