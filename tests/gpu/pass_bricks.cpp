// SPDX-License-Identifier: MIT
// Bricks that advection skips because no smoke can reach them.
#include "shaders/shared/bricks.h"
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/motion.h"
#include "tests/reference/projection.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

/// Random paths, some of them long, and few cells with smoke. The grids have several bricks, the last of which are thin.
class PassBricks : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        fineAperture = aperture();
        apertureImage = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM);
        back = random(step.cells, 3, -1.0, 1.0);
        const Field longer = random(step.cells, 1, 0.0, 1.0);
        forEach(step.cells, [&](ivec3 c) { back(c) *= longer(c).x < 0.003 ? 12.0 : c.x > step.cells.x / 2 ? 0.02 : 1.0; });
        scalars = random(step.scalarCells, 2, -1.0, 1.0);
        const Field kept = random(step.scalarCells, 1, 0.0, 1.0);
        const double share = 4.0 / static_cast<double>(scalars.count());  // about four cells
        forEach(step.scalarCells, [&](ivec3 c) {
            if (kept(c).x < 0.5 * share) scalars(c) = {0.0, -0.5, 0.0, 0.0};  // cold air without smoke counts as content
            else if (kept(c).x >= share) scalars(c) = dvec4(0.0);
        });
        backVectors = vectorsToGpu(back);
        reach = pathReach(step, back, reachGroup());
        reachBuffer = toGpu(reach);
        scalarImage = toGpu(scalars, scalarFormat());
    }
    engine::Buffer bricksOnGpu() {
        const ivec3 count = (step.scalarCells + 7) / 8;
        engine::Buffer bricks = target(2 * static_cast<std::size_t>(count.x * count.y * count.z));
        pass("smoke_bricks", count * ivec3(64, 1, 1), {{"scalars", scalarImage}, {"reach", reachBuffer}, {"bricks", bricks}});
        return bricks;
    }
    engine::Buffer reachOnGpu(const engine::Buffer& bricks, bool all) {
        const ivec3 count = (step.scalarCells + 7) / 8;
        engine::Buffer flags = target(static_cast<std::size_t>(count.x * count.y * count.z));
        pass("smoke_reach", count, {{"bricks", bricks}, {"reach", reachBuffer}, {"reached", flags}}, all ? 1 : 0);
        return flags;
    }
    template <class T>
    std::vector<T> valuesOf(const engine::Buffer& buffer, std::size_t count) {
        const std::vector<std::byte> bytes = downloadBytes(buffer);
        std::vector<T> values(count);
        std::memcpy(values.data(), bytes.data(), count * sizeof(T));
        return values;
    }
    Field fineAperture, back, scalars;
    engine::Image apertureImage, scalarImage;
    engine::Buffer backVectors, reachBuffer;
    Numbers reach;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassBricks,
                         testing::Values(PassCase{{33, 18, 9}}, PassCase{{40, 16, 21}, 4, 1, Precision::Half}, PassCase{{17, 20, 9}, 4, 2},
                                         PassCase{{5, 1, 3}}, PassCase{.cells = {90, 20, 12}, .ratio = 2, .periodic = 1},
                                         PassCase{.cells = {70, 18, 14}, .ratio = 2, .scalarRatio = 2, .periodic = 6}),
                         nameOf);

TEST_P(PassBricks, MatchTheirTwins) {
    const SmokeBricks twin = smokeBricks(step, scalars, reach, reachGroup());
    const engine::Buffer bricks = bricksOnGpu();
    const auto found = valuesOf<gpu::SmokeBrick>(bricks, twin.count());
    for (std::size_t i = 0; i < twin.count(); ++i) {
        EXPECT_EQ(found[i].holds, twin.values()[i].holds ? 1u : 0u) << i;
        EXPECT_EQ(static_cast<double>(found[i].reach), twin.values()[i].reach) << i;
    }
    for (const bool all : {false, true}) {
        const auto flags = valuesOf<std::uint32_t>(reachOnGpu(bricks, all), twin.count());
        const Grid<int> expected = smokeReach(step, twin, all);
        for (std::size_t i = 0; i < twin.count(); ++i) EXPECT_EQ(flags[i], static_cast<std::uint32_t>(expected.values()[i])) << i;
    }
}

// Skipping bricks does not change a single bit of the result.
TEST_P(PassBricks, SkipOnlyEmptyBricks) {
    const Field ahead = random(step.cells, 3, -3.0, 3.0);
    Field copy = ahead;
    const engine::Buffer aheadVectors = vectorsToGpu(copy);
    const engine::Buffer bricks = bricksOnGpu();
    std::vector<Field> results;
    for (const bool all : {false, true}) {
        const engine::Buffer flags = reachOnGpu(bricks, all);
        reached = &flags;
        const engine::Image forward = target(step.scalarCells, scalarFormat()), result = target(step.scalarCells, scalarFormat());
        pass("advect_scalars", inLayers(step.scalarCells),
             {{"back", backVectors},
              {"aperture", apertureImage},
              {"apertureBefore", apertureImage},
              {"scalarsIn", scalarImage},
              {"scalarsOut", forward}},
             AdvectScalarsPush{glm::vec4(1.0f)});
        pass("advect_scalars_correct", inLayers(step.scalarCells),
             {{"back", backVectors},
              {"ahead", aheadVectors},
              {"aperture", apertureImage},
              {"scalarsIn", scalarImage},
              {"forward", forward},
              {"scalarsOut", result}},
             CorrectScalarsPush{glm::vec4(0.9f), WISP_CLAMPED});
        results.push_back(fromGpu(forward));
        results.push_back(fromGpu(result));
        reached = nullptr;
    }
    for (int n = 0; n < 2; ++n)
        forEach(step.scalarCells, [&](ivec3 c) {
            ASSERT_EQ(results[static_cast<std::size_t>(n)](c), results[static_cast<std::size_t>(n + 2)](c))
                << c.x << " " << c.y << " " << c.z;
        });
    const Grid<int> twin = smokeReach(step, smokeBricks(step, scalars, reach, reachGroup()), false);
    const auto some = static_cast<std::size_t>(std::count(twin.values().begin(), twin.values().end(), 1));
    if (twin.count() <= 20) return;
    EXPECT_LT(some, twin.count()) << "no brick is skipped";
    EXPECT_GT(some, 0u);
}

}  // namespace
}  // namespace wisp::test
