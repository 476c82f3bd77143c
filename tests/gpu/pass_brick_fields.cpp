// SPDX-License-Identifier: MIT
// Fields in bricks of a sparse simulation, and the coarse velocity.
#include "tests/gpu/pass_sparse.h"

namespace wisp::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cases, PassBrickFields,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1, Precision::Half}, PassCase{{40, 34, 36}, 2, 1}),
                         nameOf);

TEST_P(PassBrickFields, Smoke) {
    Field scalars = sparseScalars();
    const engine::Image image = toGpu(scalars, scalarFormat());
    const ivec3 group(shaders->get("backtrace").interface.localSize);
    Numbers reach = randomNumbers((step.cells + group - 1) / group, 0.0, 12.0);
    const engine::Buffer reachGpu = toGpu(reach);
    use(randomStates(0.6, 0.5));
    const std::size_t parts = Numbers(smokeBrickCount()).count();
    const engine::Buffer smokeOut = marked(2 * countOfBricks()), flags = marked(2 * parts);
    const float threshold = 0.01f;
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_smoke", bricks->each(BrickPart::Active, 256),
                     {{"scalars", image}, {"reach", reachGpu}, {"smokeOut", smokeOut}, {"bricks", flags}}, threshold);
    });
    const Grid<SmokeInBrick> twin = brickSmoke(step, scalars, reach, group, double(threshold));
    const Words found = valuesOf<std::uint32_t>(smokeOut, 2 * countOfBricks()), foundFlags = valuesOf<std::uint32_t>(flags, 2 * parts);
    std::size_t n = 0, filled = 0;
    forEach(states.size(), [&](ivec3 b) {
        const bool active = states(b).active;
        EXPECT_EQ(found[n], active ? boxOf(twin(b), b) : kMarkerWord) << "box of brick " << n / 2;
        EXPECT_EQ(found[n + 1], active ? std::bit_cast<std::uint32_t>(static_cast<float>(twin(b).reach)) : kMarkerWord)
            << "brick " << n / 2;
        filled += active && twin(b).holds;
        n += 2;
    });
    EXPECT_GT(filled, 0u);
    const reference::Bricks ofSmoke = smokeBricks(step, scalars, reach, group);
    n = 0;
    forEach(smokeBrickCount(), [&](ivec3 p) {
        const bool active = states(brickOfSmoke(p)).active;
        EXPECT_EQ(foundFlags[n], active ? (ofSmoke(p).holds ? 1u : 0u) : kMarkerWord) << "brick of smoke " << n / 2;
        EXPECT_EQ(foundFlags[n + 1], active ? 0u : kMarkerWord) << "brick of smoke " << n / 2;
        n += 2;
    });
}

TEST_P(PassBrickFields, Vorticity) {
    Field coarse = random(pressureFaces(step), 3, -1.0, 1.0);
    // Half of the bricks has slower flow.
    const Numbers slow = randomNumbers(brickCount(step), 0.0, 1.0);
    forEach(coarse.size(), [&](ivec3 c) { coarse(c) *= slow(c * step.ratio / kBrickEdge) < 0.5 ? 0.1 : 1.0; });
    const engine::Image image = toGpu(coarse, vectorFormat());
    put(bricks->fastest, Words{0});
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_vorticity", bricks->size * glm::uvec3(64, 1, 1),
                     {{"coarseVelocity", image}, {"vorticityOut", bricks->vorticity}, {"fastest", bricks->fastest}});
    });
    const BrickVorticity twin = brickVorticity(step, coarse);
    // Two differences of at most 2 and their difference: 8 roundings along each axis. The length of at most 4 sqrt(3) adds 12 of its size
    // (the square root may be wrong by 4).
    expectNear(fromGpu(bricks->vorticity, brickCount(step)), twin.swirl, (8.0 + 12.0 * 4.0) * std::sqrt(3.0) * kEps);
    EXPECT_EQ(double(valuesOf<float>(bricks->fastest, 1).front()), twin.fastest);
}

TEST_P(PassBrickFields, Close) {
    // Densities are multiples of 2^-20, or halves, so that their sum in units of 2^-16 does not depend on rounding. Some are negative, and
    // some exceed the limit of a cell.
    Field scalars = random(step.scalarCells, 2, -0.1, 1.0);
    const Numbers large = randomNumbers(step.scalarCells, 0.0, 1.0);
    forEach(scalars.size(), [&](ivec3 c) { scalars(c).x = large(c) < 0.01 ? 20.0 : std::floor(scalars(c).x * 1048576.0) / 1048576.0; });
    const engine::Image scratch0 = marked(step.scalarCells, scalarFormat()), scratch1 = marked(step.scalarCells, scalarFormat());
    const Field markers = fromGpu(scratch0);
    use(randomStates(0.4, 0.7));
    ASSERT_FALSE(lists.closing.empty());
    const std::size_t parts = Numbers(smokeBrickCount()).count();
    const engine::Buffer smokeOut = marked(2 * countOfBricks()), flags = marked(2 * parts);
    const std::uint64_t lostBefore = 0xFFFFFF00;  // so that the low word overflows
    put(bricks->losses, std::vector<std::uint64_t>{lostBefore});
    const engine::Image image = toGpu(scalars, scalarFormat());
    Field twin = scalars, zeros = markers;
    const std::uint64_t units = closeBricks(step, states, twin);
    closeBricks(step, states, zeros);
    std::uint64_t expected = lostBefore;
    for (const int counts : {0, 1}) {  // colours are not counted
        expected += counts != 0 ? units : 0;
        const engine::Image copy = toGpu(scalars, scalarFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("close_bricks", bricks->over(BrickPart::Closing, static_cast<std::uint32_t>(kBrickEdge * step.scalarRatio)),
                         {{"scalarsIn", copy},
                          {"scalarsOut", copy},
                          {"scratch0", scratch0},
                          {"scratch1", scratch1},
                          {"smokeOut", smokeOut},
                          {"bricks", flags},
                          {"losses", bricks->losses}},
                         counts);
        });
        expectSame(fromGpu(copy), twin);
        EXPECT_EQ(valuesOf<std::uint64_t>(bricks->losses, 1).front(), expected);
    }
    EXPECT_GT(units, 1000u);
    expectSame(fromGpu(scratch0), zeros);
    expectSame(fromGpu(scratch1), zeros);
    const auto isClosing = [&](ivec3 b) { return states(b).before && !states(b).active; };
    const auto expectZeros = [&](const Words& words, ivec3 size, const auto& brickOf) {
        std::size_t n = 0;
        forEach(size, [&](ivec3 c) {
            for (int word = 0; word < 2; ++word) EXPECT_EQ(words[n++], isClosing(brickOf(c)) ? 0u : kMarkerWord) << n / 2;
        });
    };
    expectZeros(valuesOf<std::uint32_t>(smokeOut, 2 * countOfBricks()), states.size(), [](ivec3 b) { return b; });
    expectZeros(valuesOf<std::uint32_t>(flags, 2 * parts), smokeBrickCount(), [&](ivec3 p) { return brickOfSmoke(p); });
}

TEST_P(PassBrickFields, RestrictFaces) {
    Field fineAperture = aperture(), velocity = randomVelocity(step), weights = coarseAperture(step, fineAperture);
    const engine::Image open = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM), u = toGpu(velocity, vectorFormat());
    const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights);
    const Field twin = restrictFaces(step, fineAperture, velocity);
    const int edge = kBrickEdge / step.ratio;
    struct Case {
        int near;  // [cells]; -1: all faces of active bricks
        bool allActive;
    };
    for (const auto& [near, allActive] : {Case{-1, false}, {2, false}, {6 + 2 + 3 * step.ratio, false}, {6 + 2 + 3 * step.ratio, true}}) {
        SCOPED_TRACE(testing::Message() << "near " << near);
        use(allActive ? fullStates() : randomStates(0.6, 0.5), 6);
        const std::uint32_t code = near < 0 ? 0u : static_cast<std::uint32_t>(near < 6 ? near : WISP_NEAR_PATHS + near - 6 - 2);
        const Threads threads = near < 0 ? bricks->over(BrickPart::Active, static_cast<std::uint32_t>(edge))
                                         : bricks->over(BrickPart::Active, static_cast<std::uint32_t>(edge), code, {{"kBorder", 1}});
        const engine::Image result = marked(pressureFaces(step), vectorFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("restrict_faces", threads,
                         {{"weights", w}, {"regular", regular}, {"aperture", open}, {"velocity", u}, {"coarseOut", result}});
        });
        // Beyond a brick's edge it is not known which bricks are active: nothing is skipped.
        const bool skips = near >= 0 && near <= kBrickEdge;
        const Grid<int> all = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step)),
                        some = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step), skips ? near : 0, skips);
        EXPECT_GT(countOf(some), 0u);
        if (skips && allActive && glm::all(glm::greaterThan(brickCount(step), ivec3(2)))) {
            EXPECT_LT(countOf(some), countOf(all));
        }
        // A quotient of sums of up to 16 products of speeds below 1, each with a rounding.
        expectNear(fromGpu(result), merged(some, twin), (2.0 * step.ratio * step.ratio + 2.0) * kEps, half());
    }
}

TEST_P(PassBrickFields, ProjectCoarse) {
    Field weights = coarseAperture(step, aperture()), coarse = random(pressureFaces(step), 3, -1.0, 1.0),
          correction = random(pressureFaces(step), 3, -1.0, 1.0);
    std::vector<float> values;  // all faces of an axis, then all of the next
    for (int axis = 0; axis < 3; ++axis) {
        for (dvec4& v : correction.values()) {
            values.push_back(static_cast<float>(v[axis]));
            v[axis] = double(values.back());
        }
    }
    const engine::Buffer c = target(values.size()), w = weightsToGpu(weights), regular = regularToGpu(weights),
                         vectors = buffer("vectors", Field(step.pressureCells).count() * (halfStorage ? 8 : 16), true);
    upload(c, values);
    const engine::Image u = toGpu(coarse, vectorFormat()), result = target(pressureFaces(step), vectorFormat()),
                        centre = target(step.pressureCells, vectorFormat());
    const Level level{step.cells, 1, 0.625f};
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("project_coarse", pressureFaces(step),
                     {{"weights", w},
                      {"correction", c},
                      {"regular", regular},
                      {"coarseIn", u},
                      {"coarseOut", result},
                      {"centreOut", centre},
                      {"centreVectors", vectors}},
                     level);
    });
    const CoarseVelocity twin = projectCoarse(step, 0.625, weights, correction, coarse);
    const double tolerance = 6.0 * kEps;  // a product, a sum below 2, and a mean of two of these
    expectNear(fromGpu(result), twin.faces, tolerance, half());
    expectNear(fromGpu(centre), twin.centre, tolerance, half());
    expectNear(vectorsFromGpu(vectors, step.pressureCells), twin.centre, tolerance, half());
}

}  // namespace
}  // namespace wisp::test
