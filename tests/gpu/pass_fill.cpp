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
        [[nodiscard]] bool isFine() const { return level.fineCells == 1; }
        [[nodiscard]] int blockEdge() const { return 2 * level.fineCells; }  // [fine cells]
        [[nodiscard]] int edge() const { return kBrickEdge / blockEdge(); }  // of a brick [blocks]
    };
    /// Which work groups a pass runs, see WISP_NEAR_PATHS [fine cells].
    struct Range {
        BrickPart part;
        int near, border;  ///< beyond the reach of paths, and from bricks that are not kept; 0: all kept bricks
    };
    static constexpr int kReach = 6;
    [[nodiscard]] Threads over(const Range& range, const Grid& g, ShaderConstants more) const {
        more.insert({"kBorder", static_cast<std::uint32_t>(range.border)});
        return bricks->over(range.part, static_cast<std::uint32_t>(g.edge()), static_cast<std::uint32_t>(WISP_NEAR_PATHS + range.near),
                            std::move(more));
    }
    /// Calls expect(threads, texels that they compute) for kept, opened and halo bricks, without the border, and with it in rounds.
    template <class F>
    void expectBorder(std::string_view pass, const Range& range, const Grid& g, const ShaderConstants& constants, const F& expect) {
        const ivec3 count = brickCount(step);
        const bool hasFar = glm::all(glm::greaterThan(count, ivec3(2))) && glm::any(glm::greaterThan(count, ivec3(3)));
        const std::array mixes{cornerStates(), randomStates(0.6, 0.6), borderStates()};
        for (std::size_t n = 0; n < mixes.size(); ++n) {
            use(mixes[n], kReach);
            std::size_t all = 0;
            for (const int border : std::set{0, range.border}) {
                SCOPED_TRACE(testing::Message() << pass << ", states " << n << ", border " << border);
                const Threads threads = over({range.part, range.near, border}, g, constants);
                const auto texels = computed(pass, threads, range.part, g.edge(), g.coarse.size(), kReach + 2 + range.near, border);
                EXPECT_GT(countOf(texels), 0u);
                if (border == 0) all = countOf(texels);
                if (border > 0 && hasFar && n == 2) {
                    EXPECT_LT(countOf(texels), all);
                }
                expect(border == range.border ? inRounds(pass, threads, 0) : threads, texels);
            }
        }
    }
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
    reference::Grid<int> texelsIn(ivec3 texels, int fineCells, const F& holds) {
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
                                         PassCase{{68, 52, 52}, 4, 1}),
                         nameOf);

// As the code runs it to fill bricks, and without a border as for the projection.
TEST_P(PassFill, CorrectionChanges) {
    for (Grid& g : grids()) {
        const engine::Image coarse = toGpu(g.coarse, kFloat4);
        const engine::Buffer open = bitsToGpu(g.open), smooth = bitsToGpu(smoothFaces(g.level, g.open)), nothing = target(std::size_t{1});
        const Images dense = markedChanges(g);
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
        const Changes twin = correctionChanges(step, g.level, g.open, g.coarse);
        std::array<Field, 3> whole;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            whole[axis] = fromGpu(dense[axis]);
            expectNear(whole[axis], twin[axis], 16.0 * kEps, false);  // sums of at most sixteen values below 1
        }
        ShaderConstants constants = cubes(static_cast<std::uint32_t>(g.edge()));
        constants.insert({"kFills", 1});
        const int near = (g.isFine() ? 2 : 4) * g.blockEdge(), border = (g.isFine() ? 1 : 2) * g.blockEdge();
        expectBorder("correction_changes", {BrickPart::Listed, near, border}, g, constants,
                     [&](const Threads& threads, const reference::Grid<int>& texels) {
                         const Images listed = markedChanges(g);
                         changes(threads, listed);
                         for (std::size_t axis = 0; axis < 3; ++axis) expectSame(fromGpu(listed[axis]), merged(texels, whole[axis]));
                     });
    }
}

// Listed bricks take the upsampled coarse velocity P(u_H), whatever velocity they had.
TEST_P(PassFill, Project) {
    for (Grid& g : grids()) {
        Changes changes = correctionChanges(step, g.level, g.open, g.coarse);
        const Images c{toGpu(changes[0], kFloat4), toGpu(changes[1], kFloat4), toGpu(changes[2], kFloat4)};
        const engine::Buffer open = bitsToGpu(g.open);
        const Filled dense = markedFill(g), facesOnly = markedFill(g);
        const ivec3 allBlocks = blocks(g.level) + 1, texels = g.level.cells + 1;
        project(Threads(glm::uvec3(allBlocks), {{"kFills", 1}}), g, open, c, dense);
        project(Threads(glm::uvec3(allBlocks), {{"kFills", 1}, {"kWritesCentres", 0}}), g, open, c, facesOnly);

        const Field whole = fromGpu(dense.velocity), none(g.level.cells + 1);
        // Faces below 3 m/s with 8 roundings; two transforms of 8 divergences below 18 m/s, see PassProjection.
        const double tolerance = (8.0 * 3.0 + 2.0 * 12.0 * 144.0 / 16.0) * kEps;
        expectNear(whole, reference::project(g.level, g.open, changes, none, double(step.h)), tolerance, g.format != kFloat4);
        expectSame(fromGpu(facesOnly.velocity), whole);
        const Field centre = fromGpu(dense.centre), vectors = vectorsFromGpu(dense.vectors, step.cells), before = fromGpu(facesOnly.centre),
                    vectorsBefore = vectorsFromGpu(facesOnly.vectors, step.cells);
        expectSame(before, Field(step.cells, dvec4(kMarker)));
        if (!g.isFine()) expectSame(centre, before);

        ShaderConstants constants{{"kFills", 1}, {"kWritesCentres", 1}};
        // With fields of the whole grid, the exchange between the threads of GPUs needs groups of 8x4x4. PassStored has cubes.
        if (!g.isFine() && device().isCpu()) constants.merge(cubes(4));
        const Range range = g.isFine() ? Range{BrickPart::Fill, 0, 0} : Range{BrickPart::Listed, 2 * g.blockEdge(), g.blockEdge()};
        expectBorder("project", range, g, constants, [&](const Threads& threads, const reference::Grid<int>& filled) {
            const Filled listed = markedFill(g);
            project(threads, g, open, c, listed);
            expectSame(fromGpu(listed.velocity), merged(cellsOf(filled, texels), whole));
            if (!g.isFine()) return;
            expectSame(fromGpu(listed.centre), merged(cellsOf(filled, step.cells), centre, before));
            expectSame(vectorsFromGpu(listed.vectors, step.cells), merged(cellsOf(filled, step.cells), vectors, vectorsBefore));
        });
    }
}

TEST_P(PassFill, RestrictVelocity) {
    Grid g = grids().front();
    Field velocity = randomVelocity(step);
    const engine::Image open = toGpu(g.aperture, VK_FORMAT_R8G8B8A8_UNORM), solidVelocity = solidVelocityToGpu(g.aperture),
                        u = toGpu(velocity, vectorFormat()), dense = target(g.coarse.size(), kFloat4);
    const engine::Buffer bits = bitsToGpu(g.open);
    const auto restricted = [&](const Threads& over, const engine::Image& result) {
        sparse([&](engine::Recorder& rec) {
            rec.dispatch(
                "restrict_velocity", over,
                {{"aperture", open}, {"openFaces", bits}, {"solidVelocity", solidVelocity}, {"velocity", u}, {"coarseOut", result}},
                g.level);
        });
        return fromGpu(result);
    };
    const Field whole = restricted(Threads(glm::uvec3(g.coarse.size())), dense);
    expectBorder("restrict_velocity", {BrickPart::Listed, 4 * g.blockEdge(), 8}, g, {},
                 [&](const Threads& threads, const reference::Grid<int>& faces) {
                     expectSame(restricted(threads, marked(g.coarse.size(), kFloat4)), merged(faces, whole));
                 });
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
    expectSame(some[0], merged(texelsIn(faces(step), 1, isFilled), whole[0], velocity));
    expectSame(some[1], merged(texelsIn(step.cells, 1, isFilled), whole[1]));
    expectSame(some[2], merged(texelsIn(step.cells, 1, isFilled), whole[2], faceOnly[2]));
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
