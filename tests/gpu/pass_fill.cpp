// SPDX-License-Identifier: MIT
// Bricks that are filled with the upsampled coarse velocity.
#include "tests/gpu/pass_sparse.h"

namespace wisp::test {
namespace {

class PassFill : public PassBrickFields {
protected:
    struct Grid {
        Level level;
        Field aperture, coarse;
        Numbers open;
        VkFormat format;
        [[nodiscard]] int edge() const { return kBrickEdge / (2 * level.fineCells); }  // of a brick [blocks]
    };
    std::vector<Grid> grids() {
        std::vector<Grid> all;
        const Level fine{step.cells, 1, 0.625f};  // a fill keeps nothing all the same
        const Field fineAperture = aperture();
        all.push_back({fine, fineAperture, {}, {}, vectorFormat()});
        if (step.ratio == 4) all.push_back({{blocks(fine), 2, 0.625f}, restrictAperture(fine, fineAperture), {}, {}, kFloat4});
        for (Grid& g : all) {
            g.open = openFaces(g.level, g.aperture);
            g.coarse = random(blocks(g.level) + 1, 3, -1.0, 1.0);
            forEach(g.coarse.size(), [&](ivec3 c) {
                for (int axis = 0; axis < 3; ++axis)
                    if (!gridHasFace(blocks(g.level), c, axis)) g.coarse(c)[axis] = 0.0;
            });
        }
        return all;
    }
    engine::Buffer bitsToGpu(const Numbers& bits) {
        engine::Buffer result = target(bits.count());
        put(result, Words(bits.values().begin(), bits.values().end()));
        return result;
    }
    using Images = std::array<engine::Image, 3>;
    Images markedChanges(const Grid& g) {
        return {marked(g.coarse.size(), kFloat4), marked(g.coarse.size(), kFloat4), marked(g.coarse.size(), kFloat4)};
    }
    // What a round of filling writes.
    struct Filled {
        engine::Image velocity, centre;
        engine::Buffer vectors;
    };
    Filled markedFill(const Grid& g) { return {marked(g.level.cells + 1, g.format), marked(step.cells, vectorFormat()), markedVectors()}; }
    void project(const Threads& threads, const Grid& g, const engine::Buffer& open, const Images& changes, const Filled& to) {
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("project", threads,
                         {{"openFaces", open},
                          {"changesX", changes[0]},
                          {"changesY", changes[1]},
                          {"changesZ", changes[2]},
                          {"velocityIn", to.velocity},
                          {"velocityOut", to.velocity},
                          {"centreOut", to.centre},
                          {"centreVectors", to.vectors}},
                         g.level);
        });
    }
    // Texels of a field on the faces of a level, or on its cells, that belong to bricks for which `holds` is true.
    template <class F>
    reference::Grid<int> texelsOf(ivec3 texels, int fineCells, const F& holds) {
        reference::Grid<int> result(texels);
        forEach(texels, [&](ivec3 c) { result(c) = holds(states(c * fineCells / kBrickEdge)) ? 1 : 0; });
        return result;
    }
    // As computed() of the blocks, for the cells of the blocks.
    static reference::Grid<int> cellsOf(const reference::Grid<int>& blocks, ivec3 cells) {
        reference::Grid<int> result(cells);
        forEach(cells, [&](ivec3 c) { result(c) = blocks(c / 2); });
        return result;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassFill,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 20}, 4, 1}),
                         nameOf);

TEST_P(PassFill, CorrectionChanges) {
    for (Grid& g : grids()) {
        use(cornerStates(), 6);
        const engine::Image coarse = toGpu(g.coarse, kFloat4);
        const engine::Buffer open = bitsToGpu(g.open), smooth = bitsToGpu(smoothFaces(g.level, g.open)), nothing = target(std::size_t{1});
        const Images dense = markedChanges(g), listed = markedChanges(g);
        const int more = 2 * 2 * g.level.fineCells;  // two blocks
        ShaderConstants constants = kCubes;
        constants.insert({"kFills", 1});
        const Threads threads = bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(g.edge()),
                                             static_cast<std::uint32_t>(WISP_NEAR_PATHS + more), constants);
        const auto changes = [&](const Threads& of, const Images& to) {
            sparse([&](engine::Recorder& rec) {
                rec.dispatch("correction_changes", of,
                             {{"openFaces", open},
                              {"smoothFaces", smooth},
                              {"correction", nothing},
                              {"coarseFaces", coarse},
                              {"changesX", to[0]},
                              {"changesY", to[1]},
                              {"changesZ", to[2]}},
                             g.level);
            });
        };
        changes(Threads(glm::uvec3(g.coarse.size()), {{"kFills", 1}}), dense);
        changes(threads, listed);
        const Changes twin = correctionChanges(step, g.level, g.open, g.coarse);
        const reference::Grid<int> texels = computed("correction_changes", threads, BrickPart::Listed, g.edge(), g.coarse.size(),
                                                     6 + 2 + more);
        EXPECT_GT(countOf(texels), 0u);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Field whole = fromGpu(dense[axis]);
            expectNear(whole, twin[axis], 16.0 * kEps, false);  // sums of at most sixteen values below 1
            expectSame(fromGpu(listed[axis]), merged(texels, whole));
        }
    }
}

// Listed bricks take the upsampled coarse velocity P(u_H), whatever velocity they had.
TEST_P(PassFill, Project) {
    for (Grid& g : grids()) {
        use(cornerStates(), 6);
        Changes changes = correctionChanges(step, g.level, g.open, g.coarse);
        const Images c{toGpu(changes[0], kFloat4), toGpu(changes[1], kFloat4), toGpu(changes[2], kFloat4)};
        const engine::Buffer open = bitsToGpu(g.open);
        const Filled dense = markedFill(g), listed = markedFill(g), facesOnly = markedFill(g);
        const bool isFine = g.level.fineCells == 1;
        const ivec3 allBlocks = blocks(g.level) + 1, texels = g.level.cells + 1;
        const Threads over = bricks->over(BrickPart::Fill, static_cast<std::uint32_t>(g.edge()), 0, {{"kFills", 1}, {"kWritesCentres", 1}});
        project(Threads(glm::uvec3(allBlocks), {{"kFills", 1}}), g, open, c, dense);
        project(over, g, open, c, listed);
        project(Threads(glm::uvec3(allBlocks), {{"kFills", 1}, {"kWritesCentres", 0}}), g, open, c, facesOnly);

        const Field whole = fromGpu(dense.velocity), none(g.level.cells + 1);
        // Faces below 3 m/s with 8 roundings; two transforms of 8 divergences below 18 m/s, see PassProjection.
        const double tolerance = (8.0 * 3.0 + 2.0 * 12.0 * 144.0 / 16.0) * kEps;
        expectNear(whole, reference::project(g.level, g.open, changes, none), tolerance, g.format != kFloat4);
        const auto filled = computed("project", over, BrickPart::Fill, g.edge(), allBlocks);
        EXPECT_GT(countOf(filled), 0u);
        expectSame(fromGpu(listed.velocity), merged(cellsOf(filled, texels), whole));
        expectSame(fromGpu(facesOnly.velocity), whole);
        const Field centre = fromGpu(dense.centre), vectors = vectorsFromGpu(dense.vectors, step.cells), before = fromGpu(facesOnly.centre),
                    vectorsBefore = vectorsFromGpu(facesOnly.vectors, step.cells);
        expectSame(before, Field(step.cells, dvec4(kMarker)));
        if (!isFine) {
            expectSame(centre, before);
            continue;
        }
        expectSame(fromGpu(listed.centre), merged(cellsOf(filled, step.cells), centre, before));
        expectSame(vectorsFromGpu(listed.vectors, step.cells), merged(cellsOf(filled, step.cells), vectors, vectorsBefore));
    }
}

TEST_P(PassFill, RestrictVelocity) {
    Grid g = grids().front();
    Field velocity = randomVelocity(step);
    use(cornerStates(), 6);
    const engine::Image open = toGpu(g.aperture, VK_FORMAT_R8G8B8A8_UNORM), solidVelocity = solidVelocityToGpu(g.aperture),
                        u = toGpu(velocity, vectorFormat()), dense = target(g.coarse.size(), kFloat4),
                        listed = marked(g.coarse.size(), kFloat4);
    const engine::Buffer bits = bitsToGpu(g.open);
    const Threads threads = bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(g.edge()), WISP_NEAR_PATHS + 1);
    sparse([&](engine::Recorder& rec) {
        for (const auto& [over, result] : {std::pair(Threads(glm::uvec3(g.coarse.size())), &dense), {threads, &listed}})
            rec.dispatch(
                "restrict_velocity", over,
                {{"aperture", open}, {"openFaces", bits}, {"solidVelocity", solidVelocity}, {"velocity", u}, {"coarseOut", *result}},
                g.level);
    });
    const auto faces = computed("restrict_velocity", threads, BrickPart::Listed, g.edge(), g.coarse.size(), 6 + 2 + 1);
    EXPECT_GT(countOf(faces), 0u);
    EXPECT_LT(countOf(faces), faces.count());
    expectSame(fromGpu(listed), merged(faces, fromGpu(dense)));
}

// Blocks beside solids are repaired after a fill, except those of bricks that were active before and still are.
TEST_P(PassFill, Repair) {
    Grid g = grids().front();
    Field velocity = randomVelocity(step);
    use(randomStates(0.6, 0.6));
    const engine::Image open = toGpu(g.aperture, VK_FORMAT_R8G8B8A8_UNORM), solidVelocity = solidVelocityToGpu(g.aperture);
    const engine::Buffer bits = bitsToGpu(g.open);
    const auto repaired = [&](ShaderConstants constants) {
        Field copy = velocity;
        const engine::Image u = toGpu(copy, vectorFormat()), centre = marked(step.cells, vectorFormat());
        const engine::Buffer vectors = markedVectors();
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("repair", Threads(glm::uvec3(blocks(g.level) + 1) * glm::uvec3(8, 1, 1), std::move(constants)),
                         {{"aperture", open},
                          {"solidVelocity", solidVelocity},
                          {"solidOutflow", u},
                          {"openFaces", bits},
                          {"velocityIn", u},
                          {"velocityOut", u},
                          {"centreOut", centre},
                          {"centreVectors", vectors}},
                         g.level);
        });
        return std::array{fromGpu(u), fromGpu(centre), vectorsFromGpu(vectors, step.cells)};
    };
    toGpu(velocity, vectorFormat());  // rounds it
    const auto whole = repaired({{"kFills", 0}, {"kWritesCentres", 1}}), some = repaired({{"kFills", 1}, {"kWritesCentres", 1}}),
               faceOnly = repaired({{"kFills", 1}, {"kWritesCentres", 0}});
    const auto isFilled = [](const BrickState& s) { return !s.active || !s.before; };
    const Field unwritten(step.cells, dvec4(kMarker));
    expectSame(some[0], merged(texelsOf(faces(step), 1, isFilled), whole[0], velocity));
    expectSame(some[1], merged(texelsOf(step.cells, 1, isFilled), whole[1]));
    expectSame(some[2], merged(texelsOf(step.cells, 1, isFilled), whole[2], faceOnly[2]));
    expectSame(faceOnly[0], some[0]);
    expectSame(faceOnly[1], unwritten);
    std::size_t changed = 0, kept = 0;
    forEach(step.cells, [&](ivec3 c) {
        changed += some[1](c) != unwritten(c);
        kept += some[1](c) != whole[1](c);
    });
    EXPECT_GT(changed, 0u) << "no block is repaired";
    EXPECT_GT(kept, 0u) << "no block keeps its velocity";
}

}  // namespace
}  // namespace wisp::test
