// SPDX-License-Identifier: MIT
// Packing of blocks for volume files.
#include "shaders/shared/packed_volume.h"
#include "tests/gpu/pass_slots.h"

#include <glm/gtc/packing.hpp>

#include <map>
#include <tuple>

namespace wisp::test {
namespace {

constexpr int kEdge = WISP_PACK_EDGE;

ivec3 blocksOf(ivec3 cells) { return (cells + kEdge - 1) / kEdge; }

class PassPack : public PassSlots {
protected:
    /// Values of the cells of a block, channel by channel, by its first cell.
    using Blocks = std::map<std::tuple<int, int, int>, std::vector<float>>;

    static std::tuple<int, int, int> keyOf(ivec3 c) { return {c.x, c.y, c.z}; }
    Blocks blocksIn(std::span<const std::byte> bytes, std::size_t count, std::size_t channels) const {
        const std::size_t value = half() ? 2 : 4, stride = 4 * WISP_PACK_HEAD + channels * WISP_PACK_CELLS * value;
        Blocks blocks;
        for (std::size_t n = 0; n < count; ++n) {
            ivec3 corner;
            std::memcpy(&corner, bytes.data() + n * stride, sizeof corner);
            std::vector<float> values;
            for (std::size_t i = 0; i < channels * WISP_PACK_CELLS; ++i) {
                const std::byte* at = bytes.data() + n * stride + 4 * WISP_PACK_HEAD + i * value;
                std::uint16_t shortened = 0;
                float whole = 0.0f;
                std::memcpy(half() ? static_cast<void*>(&shortened) : &whole, at, value);
                values.push_back(half() ? glm::unpackHalf1x16(shortened) : whole);
            }
            EXPECT_TRUE(blocks.emplace(keyOf(corner), values).second) << "a block twice";
        }
        return blocks;
    }
    static std::vector<float> valuesOf(const Field& field, ivec3 corner, int channels) {
        std::vector<float> values;
        for (int channel = 0; channel < channels; ++channel)
            forEach(ivec3(kEdge), [&](ivec3 c) {
                const bool inside = glm::all(glm::lessThan(corner + c, field.size()));
                values.push_back(inside ? static_cast<float>(field(corner + c)[channel]) : 0.0f);
            });
        return values;
    }
    bool isStored(ivec3 brick, bool sparsely) const { return !sparsely || slots(brick).smoke >= kFirstSlot; }

    /// The blocks that pass `pack_smoke` packs.
    Blocks smokeBlocks(const Field& smoke, const gpu::PackSmokePush& push, bool sparsely) const {
        Blocks blocks;
        const int edge = kBrickEdge * step.scalarRatio;
        forEach(blocksOf(step.scalarCells), [&](ivec3 b) {
            if (!isStored(kEdge * b / edge, sparsely)) return;
            bool any = false;
            forEach(ivec3(kEdge), [&](ivec3 c) {
                if (glm::any(glm::greaterThanEqual(kEdge * b + c, step.scalarCells))) return;
                const dvec4 s = smoke(kEdge * b + c);
                const bool burns = push.channels > 2 && (push.allFuel != 0 || s.y >= static_cast<double>(push.ignition));
                any = any || s.x > static_cast<double>(push.threshold) || (burns && s.z > static_cast<double>(push.threshold));
            });
            if (any) blocks[keyOf(kEdge * b)] = valuesOf(smoke, kEdge * b, push.channels);
        });
        return blocks;
    }
    /// The blocks that pass `pack_velocity` packs, with these blocks of smoke.
    Blocks velocityBlocks(const Field& velocity, const Blocks& smoke, bool sparsely) const {
        Blocks blocks;
        forEach(blocksOf(step.cells), [&](ivec3 b) {
            if (!isStored(kEdge * b / kBrickEdge, sparsely)) return;
            bool any = false;
            forEach(ivec3(kEdge + 2), [&](ivec3 o) {
                const ivec3 c = kEdge * b + o - 1;
                if (glm::any(glm::lessThan(c, ivec3(0))) || glm::any(glm::greaterThanEqual(c, step.cells))) return;
                forEach(step.scalarCells / step.cells, [&](ivec3 part) {
                    any = any || smoke.contains(keyOf((c * (step.scalarCells / step.cells) + part) / kEdge * kEdge));
                });
            });
            if (any) blocks[keyOf(kEdge * b)] = valuesOf(velocity, kEdge * b, 3);
        });
        return blocks;
    }

    void expectPacked(gpu::PackSmokePush push, bool sparsely) {
        SCOPED_TRACE(std::to_string(push.channels) + (sparsely ? " sparse" : " dense"));
        const VkFormat format = half() ? VK_FORMAT_R16G16B16A16_SFLOAT : kFloat4;
        // Smoke in about a third of the blocks, in some of their cells.
        const Field chosen = random(blocksOf(step.scalarCells), 1, 0.0, 1.0);
        Field smoke = random(step.scalarCells, 3, -2.0, 1.0), velocity = randomVectors(step.cells, 1.0);
        forEach(step.scalarCells, [&](ivec3 c) {
            if (chosen(c / kEdge).x > 0.35) smoke(c) = dvec4(0.0, smoke(c).y, 0.0, 0.0);
        });
        toGpu(smoke, format);  // rounds it
        vectorsToGpu(velocity);
        const int edge = kBrickEdge * step.scalarRatio;
        Field inImage = sparsely ? inSlots(smoke, edge, true, 0.0) : smoke, inBuffer = sparsely ? inRanges(velocity) : velocity;
        const engine::Image scalars = toGpu(inImage, format);
        const engine::Buffer centre = vectorsToGpu(inBuffer);

        const Blocks expectedSmoke = smokeBlocks(smoke, push, sparsely),
                     expectedVelocity = velocityBlocks(velocity, expectedSmoke, sparsely);
        push.capacity = static_cast<std::uint32_t>(expectedSmoke.size());
        const gpu::PackVelocityPush velocityPush{static_cast<std::uint32_t>(expectedVelocity.size())};
        const auto words = [](const Blocks& blocks, int channels) {
            return (blocks.size() + 1) * (WISP_PACK_HEAD + static_cast<std::size_t>(channels) * WISP_PACK_CELLS);
        };
        const auto hostBuffer = [&](std::size_t count) {
            return engine::Buffer(device(), {"packed", 4 * count, engine::Location::Readback, true});
        };
        const engine::Buffer packedSmoke = hostBuffer(words(expectedSmoke, push.channels)),
                             packedVelocity = hostBuffer(words(expectedVelocity, 3));
        const auto perBrick = [](int blockEdge) { return static_cast<std::uint32_t>(blockEdge * blockEdge * blockEdge); };
        const std::uint32_t smokePerBrick = perBrick(edge / kEdge);
        const engine::Buffer counts = buffer("counts", sizeof(gpu::PackCounts)),
                             holds = buffer("holds", std::max<std::size_t>(Numbers(blocksOf(step.scalarCells)).count(),
                                                                           std::size_t{bricks->smokeSlots} * smokePerBrick) *
                                                         4);
        gpu::PackCounts count{};
        const auto threads = [&](ivec3 cells, std::uint32_t blocks) {
            Threads all = sparsely ? bricks->each(BrickPart::Active, blocks * WISP_PACK_THREADS)
                                   : Threads(glm::uvec3(blocksOf(cells)) * glm::uvec3(WISP_PACK_THREADS, 1, 1));
            all.constants.insert({{"kSparse", sparsely ? 1 : 0}});
            return all;
        };
        Blocks gotSmoke, gotVelocity;
        sparse([&](engine::Recorder& rec) {
            rec.clear(counts, 0);
            rec.clear(holds, 0);
            rec.dispatch("pack_smoke", threads(step.scalarCells, smokePerBrick),
                         {{"scalars", scalars}, {"counts", counts}, {"blockHolds", holds}, {"blocks", packedSmoke}}, push);
            rec.dispatch("pack_velocity", threads(step.cells, perBrick(kBrickEdge / kEdge)),
                         {{"centre", centre}, {"counts", counts}, {"blockHolds", holds}, {"blocks", packedVelocity}}, velocityPush);
            rec.read(counts, [&](std::span<const std::byte> bytes) { std::memcpy(&count, bytes.data(), sizeof count); });
            rec.read(packedSmoke, [&](std::span<const std::byte> bytes) {
                ASSERT_EQ(count.smoke, expectedSmoke.size());
                gotSmoke = blocksIn(bytes, count.smoke, static_cast<std::size_t>(push.channels));
            });
            rec.read(packedVelocity, [&](std::span<const std::byte> bytes) {
                ASSERT_EQ(count.velocity, expectedVelocity.size());
                gotVelocity = blocksIn(bytes, count.velocity, 3);
            });
        });
        EXPECT_GT(expectedSmoke.size(), 0u);
        EXPECT_TRUE(gotSmoke == expectedSmoke);
        EXPECT_TRUE(gotVelocity == expectedVelocity);
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassPack,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{36, 20, 17}, 4, 2, Precision::Half},
                                         PassCase{{17, 20, 12}, 2, 4, Precision::Half}),
                         nameOf);

TEST_P(PassPack, HoldsTheBlocksWithSmokeAndTheVelocityAroundThem) {
    use(randomStates(0.6, 0.5));
    for (const bool sparsely : {false, true}) {
        if (sparsely && step.scalarRatio > 2) continue;  // the image of all slots is large
        expectPacked({.threshold = 0.9f, .ignition = 0.5f, .channels = 1, .allFuel = 0, .capacity = 0}, sparsely);
        expectPacked({.threshold = 0.995f, .ignition = 0.0f, .channels = 2, .allFuel = 0, .capacity = 0}, sparsely);
        expectPacked({.threshold = 0.995f, .ignition = 0.5f, .channels = 3, .allFuel = 0, .capacity = 0}, sparsely);
        expectPacked({.threshold = 0.998f, .ignition = 0.5f, .channels = 3, .allFuel = 1, .capacity = 0}, sparsely);
    }
}

}  // namespace
}  // namespace wisp::test
