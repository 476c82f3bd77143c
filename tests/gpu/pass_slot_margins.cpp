// SPDX-License-Identifier: MIT
// The margins of slots repeat the texels of the next bricks.
#include "compute/domain/obstacles_push.h"
#include "tests/gpu/pass_slots.h"

namespace wisp::test {
namespace {

class PassSlotMargins : public PassSlots {
protected:
    /// A field on the whole grid, with blank texels in bricks that are not stored, and the same in slots.
    struct Both {
        Field whole, atlas;
    };
    Both stored(const Field& field, int edge, bool ofSmoke) {
        Both b{field, inSlots(field, edge, ofSmoke)};
        forEach(field.size(), [&](ivec3 c) {
            if (slotOf(c / edge, ofSmoke) < kFirstSlot) b.whole(c) = dvec4(0.0);
        });
        const int side = slotEdge(edge, ofSmoke);
        forEach(ivec3(side), [&](ivec3 c) {
            for (const std::uint32_t slot : {kOpenSlot, kSolidSlot}) b.atlas(cornerOf(slot, side) + c) = dvec4(0.0);
        });
        return b;
    }
    /// Margins of a field of `size` in all slots of a part, as a pass over them sees it.
    void expectMargins(Field field, int edge, bool ofSmoke, VkFormat format) {
        toGpu(field, format);  // rounds it
        Both b = stored(field, edge, ofSmoke);
        const engine::Image image = toGpu(b.atlas, format);
        const SlotMarginsPush push{field.size(), ofSmoke ? 1 : 0};
        sparse([&](engine::Recorder& rec) {
            Threads threads = bricks->each(ofSmoke ? BrickPart::Active : BrickPart::Listed, 256);
            threads.constants.insert({{"kSparse", 1}});
            rec.dispatch("slot_margins", threads, {{"fieldIn", image}, {"fieldOut", image}}, push);
        });
        addMargins(b.atlas, b.whole, edge, ofSmoke);
        toGpu(b.atlas, format);
        expectSame(fromGpu(image), b.atlas);
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassSlotMargins,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{100, 70, 52}, 2, 1}),  // two layers of slots
                         nameOf);

TEST_P(PassSlotMargins, RepeatTheTexelsOfTheNextBricks) {
    for (const BrickStates& some : {cornerStates(), randomStates(0.4, 0.5), fullStates()}) {
        use(some);
        expectMargins(random(faces(step), 3, -1.0, 1.0), kBrickEdge, false, vectorFormat());
        expectMargins(random(step.cells, 3, -1.0, 1.0), kBrickEdge, false, vectorFormat());
        expectMargins(random(step.scalarCells, 2, 0.0, 1.0), kBrickEdge * step.scalarRatio, true, scalarFormat());
    }
}

}  // namespace
}  // namespace wisp::test
