// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wisp {

/// Number of slots of a sparse simulation: on the fine grid, and of smoke.
struct SlotCounts {
    std::uint32_t flow = 0, smoke = 0;
    bool operator==(const SlotCounts&) const = default;
};

/// Decides when the fields of a sparse simulation need more slots.
///
/// The slots in use are read every kPeriod steps and decide kDelay steps later, as in CyclePlan. By then the GPU has counted them if no
/// frame has more than kPeriod steps, so nothing waits. The decision does not depend on the speed of the GPU.
class SlotPlan {
public:
    static constexpr std::uint64_t kPeriod = 8, kDelay = 2 * kPeriod;  // [steps]

    /// The slots in use in a step. `used` is filled once its frame has run.
    struct Use {
        std::uint64_t step = 0;
        std::shared_ptr<const SlotCounts> used;
    };

    SlotPlan() = default;
    SlotPlan(SlotCounts slots, std::vector<Use> read) : slots_(slots), read_(std::move(read)) {}

    /// Number of slots that a step should have: more than there are, with room for growth, if few of them are free. Call it once per step,
    /// in order; steps are numbered from 1.
    SlotCounts wanted(std::uint64_t step);
    /// Whether the slots in use in this step must be read; then `read` them.
    [[nodiscard]] static bool reads(std::uint64_t step) { return step % kPeriod == 0; }
    void read(std::uint64_t step, std::shared_ptr<const SlotCounts> used) { read_.push_back({step, std::move(used)}); }

    void setSlots(SlotCounts slots) { slots_ = slots; }
    [[nodiscard]] SlotCounts slots() const { return slots_; }             ///< that there are
    [[nodiscard]] const std::vector<Use>& uses() const { return read_; }  ///< that have not been used yet

private:
    SlotCounts slots_;
    std::vector<Use> read_;
};

}  // namespace wisp
