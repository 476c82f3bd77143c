// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"
#include "files/checkpoint/checkpoint_head.h"
#include "files/checkpoint/running_hash.h"
#include "shaders/shared/brick_list.h"

#include <optional>
#include <span>
#include <vector>

namespace wisp {

/// Hash of a field in slots, see shaders/shared/storage.glsl: of the elements of each active brick, in the order of the bricks. Not of
/// other slots, of margins, and of elements outside of the box: no step reads them before it writes them. Nor of where the slots are.
class BrickHash {
public:
    /// `bricks`: number along each axis. `slots`: of each brick.
    BrickHash(const SlotLayout& layout, const StoredField& field, glm::uvec3 bricks, std::span<const gpu::BrickSlots> slots);
    /// Bytes of the field from `offset` on: whole rows. All of them, in order.
    void add(std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::uint64_t value() const;

private:
    struct Part {
        std::uint64_t brick;
        glm::uvec3 size;  ///< elements in the box
        RunningHash hash;
    };
    void addRow(std::uint64_t slot, std::uint32_t y, std::uint32_t z, std::span<const std::byte> row);

    SlotLayout layout_;
    std::uint64_t width_, rows_;                      ///< elements in a row of the field, rows in a layer
    std::size_t bytes_;                               ///< of an element
    std::vector<Part> parts_;                         ///< of active bricks
    std::vector<std::optional<std::size_t>> partOf_;  ///< of each slot
};

}  // namespace wisp
