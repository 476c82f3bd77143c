// SPDX-License-Identifier: MIT
#include "compute/domain/slot_plan.h"

namespace wisp {
namespace {

// Bricks open in all directions, so a small number grows faster than a large one.
constexpr std::uint32_t kRoom = 512;

std::uint32_t enough(std::uint32_t slots, std::uint32_t used) {
    const bool isNearlyFull = used + kRoom / 2 > slots / 4 * 3;
    return isNearlyFull ? used + used / 2 + kRoom : slots;
}

}  // namespace

SlotCounts SlotPlan::wanted(std::uint64_t step) {
    SlotCounts wanted = slots_;
    const auto isOld = [&](const Use& u) { return u.step + kDelay <= step; };
    for (const Use& u : read_)
        if (isOld(u) && u.used->flow > 0) wanted = {enough(slots_.flow, u.used->flow), enough(slots_.smoke, u.used->smoke)};
    std::erase_if(read_, isOld);
    return wanted;
}

}  // namespace wisp
