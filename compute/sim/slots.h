// SPDX-License-Identifier: MIT
// The memory of a sparse simulation: fields on the fine grid have slots for some of the bricks.
#pragma once

#include "compute/domain/slot_plan.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

namespace wisp {

/// Memory of all fields with slots [bytes].
std::uint64_t slotBytes(const Fields& fields, SlotCounts slots);
/// As many slots as fit into `bytes` together with those that there are, while the fields are copied: `wanted`, fewer in proportion, or
/// those that there are. Whole layers of slots, and no more than bricks.
SlotCounts slotsWithin(const Fields& fields, SlotCounts wanted, std::uint64_t bytes, std::uint32_t largestImage);

/// Gives the fields so many slots, and keeps what they contain. @throws Error OutOfMemory; then nothing has changed.
void recordMoreSlots(engine::Device& device, engine::Recorder& rec, Fields& fields, SlotCounts slots);
/// Gives the fields so many slots, whose contents are undefined. @throws Error OutOfMemory
void makeSlots(engine::Device& device, Fields& fields, SlotCounts slots);

}  // namespace wisp
