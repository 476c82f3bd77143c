// SPDX-License-Identifier: MIT
// Passes over listed bricks: in these they give the bits of a pass over the whole grid, and elsewhere they write nothing.
#include "tests/gpu/pass_sparse.h"

namespace wisp::test {
namespace {

class PassListed : public PassBrickFields {};
INSTANTIATE_TEST_SUITE_P(Cases, PassListed,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1, Precision::Half}, PassCase{{40, 34, 36}, 2, 1}),
                         nameOf);

TEST_P(PassListed, ListedFaces) {
    Field acceleration = random(step.cells, 3, -10.0, 10.0), velocity = randomVelocity(step);
    Numbers none(step.cells);
    const engine::Buffer a = vectorsToGpu(acceleration), potential = floatsToGpu(none);
    const engine::Image u = toGpu(velocity, vectorFormat()), dense = target(faces(step), vectorFormat());
    const auto accelerate = [&](const Threads& threads, const engine::Image& from, const engine::Image& result) {
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("accelerate", threads,
                         {{"acceleration", a}, {"potential", potential}, {"velocityIn", from}, {"velocityOut", result}});
        });
        return fromGpu(result);
    };
    const Field whole = accelerate(faces(step), u, dense);
    struct Case {
        BrickPart part;
        int near;            // [cells]
        std::uint32_t code;  // of `near`
    };
    use(cornerStates(), 6);
    for (const auto& [part, near, code] : {Case{BrickPart::Active, 0, 0},
                                           {BrickPart::Listed, 0, 0},
                                           {BrickPart::Listed, 5, 5},
                                           {BrickPart::Fill, 9, WISP_NEAR_PATHS + 1},
                                           {BrickPart::Closing, 0, 0}}) {
        SCOPED_TRACE(testing::Message() << "part " << static_cast<int>(part) << ", near " << near);
        const Threads threads = bricks->over(part, kBrickEdge, code);
        const Grid<int> texels = computed("accelerate", threads, part, kBrickEdge, faces(step), near);
        EXPECT_GT(countOf(texels), 0u);
        EXPECT_LT(countOf(texels), texels.count());
        if (near == 5) {
            EXPECT_LT(countOf(texels), countOf(computed("accelerate", threads, part, kBrickEdge, faces(step))));
        }
        expectSame(accelerate(threads, u, marked(faces(step), vectorFormat())), merged(texels, whole));
        // In place, so that a face that two threads compute is wrong.
        for (const std::uint32_t rounds : kTestedRounds) {
            SCOPED_TRACE(testing::Message() << rounds << " rounds");
            Field copy = velocity;
            const engine::Image image = toGpu(copy, vectorFormat());
            expectSame(accelerate(inRounds("accelerate", threads, rounds), image, image), merged(texels, whole, velocity));
        }
    }
}

TEST_P(PassListed, ListedVectors) {
    Field centre = random(step.cells, 3, -1.0, 1.0);
    const engine::Buffer u = vectorsToGpu(centre), dense = vectorTarget(step.cells);
    const Field before = vectorsFromGpu(markedVectors(), step.cells);
    use(cornerStates());
    const Threads threads = bricks->over(BrickPart::Listed, kBrickEdge, 2, cubes());
    sparse([&](engine::Recorder& rec) { rec.dispatch("vorticity_curl", step.cells, {{"centre", u}, {"curl", dense}}); });
    const Grid<int> texels = computed("vorticity_curl", threads, BrickPart::Listed, kBrickEdge, step.cells, 2);
    EXPECT_GT(countOf(texels), 0u);
    EXPECT_LT(countOf(texels), texels.count());
    const Field expected = merged(texels, vectorsFromGpu(dense, step.cells), before);
    for (const std::uint32_t rounds : kTestedRounds) {
        SCOPED_TRACE(testing::Message() << rounds << " rounds");
        const engine::Buffer result = markedVectors();
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("vorticity_curl", inRounds("vorticity_curl", threads, rounds), {{"centre", u}, {"curl", result}});
        });
        expectSame(vectorsFromGpu(result, step.cells), expected);
    }
}

// Paths over listed bricks are those over the whole grid, cut to the reach in the list along each axis.
TEST_P(PassListed, ListedPaths) {
    step.obstacleCount = 0;
    const double reach = 6.0;
    // Waves with speeds of up to 12 cells per step, so that some paths are longer than the reach.
    const double fastest = 12.0 * double(step.h) / double(step.dt);
    Field velocity = smoothField(step.cells, 3, -fastest, fastest);
    Field distances(step.cells, dvec4(WISP_FAR_CELLS));
    const engine::Image centre = toGpu(velocity, vectorFormat()), distance = toGpu(distances, VK_FORMAT_R16_SFLOAT);
    use(cornerStates(), static_cast<int>(reach));
    const Threads threads = bricks->over(BrickPart::Listed, kBrickEdge, 4);
    const ivec3 group(shaders->get("backtrace", threads.constants).interface.localSize), groups = (step.cells + group - 1) / group;
    struct Paths {
        engine::Buffer back, ahead, reach;
    };
    const auto traced = [&](const Threads& over) {
        Paths paths{markedVectors(), markedVectors(), marked(Numbers(groups).count())};
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("backtrace", over,
                         {{"centre", centre},
                          {"solidDistance", distance},
                          {"distanceBefore", distance},
                          {"backOut", paths.back},
                          {"aheadOut", paths.ahead},
                          {"reachOut", paths.reach}});
        });
        return paths;
    };
    const Paths dense = traced(step.cells);
    const Grid<int> cells = computed("backtrace", threads, BrickPart::Listed, kBrickEdge, step.cells, 4);
    const Field before = vectorsFromGpu(markedVectors(), step.cells);
    std::size_t cut = 0;
    const auto cutToReach = [&](const engine::Buffer& paths) {
        Field result = vectorsFromGpu(paths, step.cells);
        forEach(step.cells, [&](ivec3 c) {
            cut += cells(c) != 0 && glm::length(glm::max(glm::abs(dvec3(result(c))) - reach, 0.0)) > 0.0;
            result(c) = glm::clamp(result(c), -reach, reach);
        });
        return result;
    };
    const Field back = merged(cells, cutToReach(dense.back), before), ahead = merged(cells, cutToReach(dense.ahead), before);
    EXPECT_GT(cut, 0u);
    EXPECT_LT(cut, 2 * countOf(cells));
    // Of each work group the longest component, which is not rounded to halves. Groups past the last cells must not write.
    const Numbers longest = pathReach(step, back, group);
    for (const std::uint32_t rounds : kTestedRounds) {
        SCOPED_TRACE(testing::Message() << rounds << " rounds");
        const Paths listed = traced(inRounds("backtrace", threads, rounds));
        expectSame(vectorsFromGpu(listed.back, step.cells), back);
        expectSame(vectorsFromGpu(listed.ahead, step.cells), ahead);
        const Numbers found = fromGpu(listed.reach, groups);
        forEach(groups, [&](ivec3 g) {
            if (cells(g * group) != 0) EXPECT_NEAR(found(g), longest(g), half() ? longest(g) / 1024.0 : 0.0);
            else EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(found(g))), kMarkerWord);
        });
    }
}

}  // namespace
}  // namespace wisp::test
