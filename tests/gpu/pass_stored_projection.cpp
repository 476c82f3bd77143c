// SPDX-License-Identifier: MIT
// Upsampling of the projection over blocks in slots.
#include "tests/gpu/pass_stored.h"

namespace wisp::test {
namespace {

class PassStoredProjection : public PassStored {
protected:
    /// A level of the upsampling, with random fields. `velocity` is on the faces of its cells, all others are of its blocks.
    struct Upsampled {
        Level level;
        Field aperture, velocity, faceBits, smoothBits, coarse;
        std::array<Field, 3> changes;
        [[nodiscard]] bool isFine() const { return level.fineCells == 1; }
        [[nodiscard]] std::uint32_t edge() const { return static_cast<std::uint32_t>(kBrickEdge / (2 * level.fineCells)); }  // of a brick
    };
    Upsampled upsampled(const Level& level, const Field& open) {
        Upsampled u{level, open, randomVelocity(step), {}, {}, {}, {}};
        if (!u.isFine()) u.velocity = random(level.cells + 1, 4, -1.0, 1.0);
        const auto asField = [](const Numbers& numbers) {
            Field field(numbers.size());
            for (std::size_t i = 0; i < numbers.count(); ++i) field.values()[i].x = numbers.values()[i];
            return field;
        };
        const Numbers bits = openFaces(level, open);
        u.faceBits = asField(bits);
        u.smoothBits = asField(smoothFaces(level, bits));
        for (Field& c : u.changes) c = random(bits.size(), 4, -1.0, 1.0);
        u.coarse = random(bits.size(), 3, -1.0, 1.0);
        return u;
    }
    Upsampled fine() { return upsampled({step.cells, 1, 0.625f}, aperture()); }
    Upsampled middle() {
        const Level level{step.cells, 1, 0.625f};
        return upsampled({blocks(level), 2, 0.625f}, restrictAperture(level, aperture()));
    }
    static Place ofBlocks(const Upsampled& u) { return u.isFine() ? Place::Blocks : Place::Dense; }
    static Input bitsInput(const char* name, const Upsampled& u, Field& bits) {
        return {name, &bits, u.isFine() ? Place::BlockBits : Place::DenseBits, VK_FORMAT_UNDEFINED, dvec4(15.0)};
    }
    std::vector<Input> projected(Upsampled& u) {
        return {bitsInput("openFaces", u, u.faceBits),
                {"changesX", &u.changes[0], ofBlocks(u), kFloat4},
                {"changesY", &u.changes[1], ofBlocks(u), kFloat4},
                {"changesZ", &u.changes[2], ofBlocks(u), kFloat4},
                {"velocityIn", &u.velocity, u.isFine() ? Place::Flow : Place::Blocks, u.isFine() ? vectorFormat() : kFloat4}};
    }
    void expectSameChanges(Upsampled u) {
        const ivec3 size = u.coarse.size();
        Field nothing(ivec3(1));
        for (const std::uint32_t fills : {0u, 1u}) {
            SCOPED_TRACE(testing::Message() << (fills != 0 ? "a fill" : "a correction") << " of level " << u.level.fineCells);
            const Place corrections = u.isFine() ? Place::BlockCorrections : Place::DenseCorrections;
            expectSameBits("correction_changes", bricks->over(BrickPart::Listed, u.edge(), 0, cubes(u.edge())),
                           {bitsInput("openFaces", u, u.faceBits),
                            bitsInput("smoothFaces", u, u.smoothBits),
                            {"correction", fills != 0 ? &nothing : &u.coarse, fills != 0 ? Place::DenseCorrections : corrections},
                            {"coarseFaces", fills != 0 ? &u.coarse : &nothing, fills != 0 ? ofBlocks(u) : Place::Dense, kFloat4}},
                           {{"changesX", size, ofBlocks(u), kFloat4},
                            {"changesY", size, ofBlocks(u), kFloat4},
                            {"changesZ", size, ofBlocks(u), kFloat4}},
                           PushConstants::of(u.level), {}, {{"kFills", fills}});
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassStoredProjection,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1}, PassCase{{40, 34, 36}, 2, 2, Precision::Half},
                                         PassCase{{100, 70, 52}, 2, 1}),  // two layers of slots
                         nameOf);

TEST_P(PassStoredProjection, Project) {
    Upsampled u = fine();
    const std::vector<Output> out{{"velocityOut", faces(step), Place::Flow, vectorFormat()},
                                  {"centreOut", step.cells, Place::Flow, vectorFormat()},
                                  {"centreVectors", step.cells, Place::Vectors}};
    expectSameBits("project", bricks->over(BrickPart::Listed, u.edge()), projected(u), out, PushConstants::of(u.level));
}

// The work groups of bricks of the intermediate grid have other sizes than those of the whole grid.
TEST_P(PassStoredProjection, ProjectOnTheIntermediateGrid) {
    if (!blocksInSlots()) return;
    Upsampled u = middle();
    const engine::Image centre = marked(ivec3(1), vectorFormat());
    const engine::Buffer vectors = markedVectors();
    for (const std::uint32_t fills : {0u, 1u})
        expectSameBits(
            "project", bricks->over(BrickPart::Listed, u.edge()), projected(u),
            {{"velocityOut", u.velocity.size(), Place::Blocks, kFloat4}}, PushConstants::of(u.level),
            [&](bool) {
                return std::vector<engine::Binding>{{"centreOut", centre}, {"centreVectors", vectors}};
            },
            {{"kFills", fills}}, cubes(4));
}

TEST_P(PassStoredProjection, CorrectionChanges) {
    expectSameChanges(fine());
    if (blocksInSlots()) expectSameChanges(middle());
}

TEST_P(PassStoredProjection, RestrictVelocity) {
    Upsampled u = fine();
    Field solid = solidVelocities(step, u.aperture);
    expectSameBits("restrict_velocity", bricks->over(BrickPart::Listed, u.edge()),
                   {bitsInput("openFaces", u, u.faceBits),
                    apertureInput("aperture", u.aperture),
                    {"solidVelocity", &solid, Place::Flow, kFloat4},
                    {"velocity", &u.velocity, Place::Flow, vectorFormat()}},
                   {{"coarseOut", u.coarse.size(), Place::Blocks, kFloat4}}, PushConstants::of(u.level));
}

}  // namespace
}  // namespace wisp::test
