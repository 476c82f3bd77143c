// SPDX-License-Identifier: MIT
#include "files/checkpoint/brick_hash.h"

#include <glm/common.hpp>

#include <algorithm>

namespace wisp {
namespace {

template <class T>
void addValue(RunningHash& hash, const T& value) {
    hash.add(std::as_bytes(std::span(&value, 1)));
}

}  // namespace

BrickHash::BrickHash(const SlotLayout& layout, const StoredField& field, glm::uvec3 bricks, std::span<const gpu::BrickSlots> slots)
    : layout_(layout),
      width_(layout.isImage ? field.size.x : layout.edge.x),
      rows_(layout.isImage ? field.size.y : std::uint64_t{layout.edge.y} * layout.edge.z),
      bytes_(static_cast<std::size_t>(field.rowBytes() / field.size.x)) {
    for (std::uint64_t n = 0; n < slots.size(); ++n) {
        const glm::uvec3 first = layout.edge * glm::uvec3(n % bricks.x, n / bricks.x % bricks.y, n / (std::uint64_t{bricks.x} * bricks.y));
        if (slots[n].smoke < WISP_BLANK_SLOTS) continue;  // not active
        const std::size_t slot = layout.isSmoke ? slots[n].smoke : slots[n].flow;
        partOf_.resize(std::max(partOf_.size(), slot + 1));
        partOf_[slot] = parts_.size();
        parts_.push_back({n, glm::min(layout.edge, glm::max(layout.size, first) - first), {}});
    }
}

void BrickHash::add(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::uint64_t rowBytes = width_ * bytes_;
    const std::uint32_t margin = layout_.isImage ? 1 : 0;
    const glm::uvec3 edge = layout_.edge + margin;  // of a slot
    for (std::uint64_t row = offset / rowBytes; !bytes.empty(); ++row, bytes = bytes.subspan(rowBytes)) {
        if (!layout_.isImage) {
            addRow(row / rows_, static_cast<std::uint32_t>(row % edge.y), static_cast<std::uint32_t>(row / edge.y % edge.z),
                   bytes.first(rowBytes));
            continue;
        }
        const std::uint64_t y = row % rows_, z = row / rows_, slots = width_ / edge.x;  // in a row
        for (std::uint64_t x = 0; x < slots; ++x)
            addRow((z / edge.z * WISP_SLOTS_Y + y / edge.y) * slots + x, static_cast<std::uint32_t>(y % edge.y),
                   static_cast<std::uint32_t>(z % edge.z), bytes.subspan(x * edge.x * bytes_, edge.x * bytes_));
    }
}

void BrickHash::addRow(std::uint64_t slot, std::uint32_t y, std::uint32_t z, std::span<const std::byte> row) {
    if (slot >= partOf_.size() || !partOf_[slot]) return;
    Part& part = parts_[*partOf_[slot]];
    if (y < part.size.y && z < part.size.z) part.hash.add(row.first(part.size.x * bytes_));
}

std::uint64_t BrickHash::value() const {
    RunningHash all;
    for (const Part& part : parts_) {
        addValue(all, part.brick);
        addValue(all, part.hash.value());
    }
    return all.value();
}

}  // namespace wisp
