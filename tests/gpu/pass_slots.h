// SPDX-License-Identifier: MIT
// Fields of a sparse simulation in slots.
#pragma once

#include "tests/gpu/pass_sparse.h"

namespace wisp::test {

class PassSlots : public PassBrickFields {
protected:
    /// First texel of a slot with `edge` texels along each axis. A layer of an image has 16 x 8 slots.
    static ivec3 cornerOf(std::uint32_t slot, int edge) {
        const int n = static_cast<int>(slot);
        return edge * ivec3(n % 16, n / 16 % 8, n / 128);
    }
    /// Texels along the edge of a slot for bricks with `edge` texels. On the fine grid and for smoke it has a margin.
    static int slotEdge(int edge, bool ofSmoke) { return ofSmoke || edge == kBrickEdge ? edge + 1 : edge; }
    std::uint32_t slotOf(ivec3 brick, bool ofSmoke) const { return ofSmoke ? slots(brick).smoke : slots(brick).flow; }
    /// The texels of a field in the slots of their bricks, and `rest` in all other texels of the image.
    Field inSlots(const Field& field, int edge, bool ofSmoke, double rest = kMarker) {
        const int side = slotEdge(edge, ofSmoke);
        const auto texels = static_cast<std::uint32_t>(side);
        Field result(ivec3(ofSmoke ? bricks->smokeTexels(texels) : bricks->flowTexels(texels)), dvec4(rest));
        forEach(field.size(), [&](ivec3 c) {
            const std::uint32_t slot = slotOf(c / edge, ofSmoke);
            if (slot >= kFirstSlot) result(cornerOf(slot, side) + c % edge) = field(c);
        });
        return result;
    }
    /// Pass `slot_margins`: behind the last texels of a brick its slot repeats the texels there. `whole` is the field on the whole grid,
    /// which repeats its last texels, and `atlas` the same in slots.
    void addMargins(Field& atlas, const Field& whole, int edge, bool ofSmoke) {
        const int side = slotEdge(edge, ofSmoke);
        forEach(slots.size(), [&](ivec3 b) {
            const std::uint32_t slot = slotOf(b, ofSmoke);
            if (slot < kFirstSlot) return;
            forEach(ivec3(side), [&](ivec3 c) {
                if (c.x == edge || c.y == edge || c.z == edge)
                    atlas(cornerOf(slot, side) + c) = whole(glm::min(b * edge + c, whole.size() - 1));
            });
        });
    }
    /// The same in a buffer.
    Field inRanges(const Field& field, int edge = kBrickEdge, double rest = kMarker) {
        Field result(ivec3(edge, edge, edge * static_cast<int>(bricks->flowSlots)), dvec4(rest));
        forEach(field.size(), [&](ivec3 c) {
            const int slot = static_cast<int>(slots(c / edge).flow);
            if (slot >= static_cast<int>(kFirstSlot)) result(c % edge + ivec3(0, 0, slot * edge)) = field(c);
        });
        return result;
    }
};

}  // namespace wisp::test
