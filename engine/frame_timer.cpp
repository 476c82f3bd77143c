// SPDX-License-Identifier: MIT
#include "engine/frame_timer.h"

#include "engine/device.h"

#include <algorithm>

namespace wisp::engine {

namespace {

constexpr std::uint32_t kNoQuery = ~0u;

}  // namespace

FrameTimer::FrameTimer(Device& device, Timing timing) : device_(device), timing_(timing) {
    if (timing_ == Timing::Off) return;
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kQueries;
    check(vkCreateQueryPool(device_.handle(), &info, nullptr, &pool_), "vkCreateQueryPool");
}

FrameTimer::~FrameTimer() {
    vkDestroyQueryPool(device_.handle(), pool_, nullptr);
}

void FrameTimer::reset() {
    if (pool_) vkResetQueryPool(device_.handle(), pool_, 0, kQueries);
    used_ = 0;
    stampIsCurrent_ = false;
    passOpen_ = false;
    ranges_.clear();
}

std::uint32_t FrameTimer::stamp(VkCommandBuffer commands) {
    if (stampIsCurrent_) return used_ - 1;
    if (used_ == kQueries) return kNoQuery;
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, used_);
    stampIsCurrent_ = true;
    return used_++;
}

void FrameTimer::pass(VkCommandBuffer commands, std::string_view name) {
    if (timing_ != Timing::Passes) return;
    if (!passOpen_ || ranges_[openPass_].name != name) {
        endPass(commands);
        openPass_ = ranges_.size();
        ranges_.push_back({std::string(name), 0, stamp(commands), kNoQuery, false});
        passOpen_ = true;
    }
    ++ranges_[openPass_].calls;
}

void FrameTimer::endPass(VkCommandBuffer commands) {
    if (!passOpen_) return;
    ranges_[openPass_].end = stamp(commands);
    passOpen_ = false;
}

std::size_t FrameTimer::beginScope(VkCommandBuffer commands, std::string_view name) {
    if (timing_ == Timing::Off) return 0;
    endPass(commands);
    ranges_.push_back({std::string(name), 1, stamp(commands), kNoQuery, true});
    return ranges_.size() - 1;
}

void FrameTimer::endScope(VkCommandBuffer commands, std::size_t scope) {
    if (timing_ == Timing::Off) return;
    endPass(commands);
    ranges_[scope].end = stamp(commands);
}

std::vector<PassTime> FrameTimer::read() const {
    std::vector<PassTime> times;
    if (used_ == 0) return times;
    std::vector<std::uint64_t> stamps(used_);
    check(vkGetQueryPoolResults(device_.handle(), pool_, 0, used_, stamps.size() * sizeof(stamps[0]), stamps.data(),
                                sizeof(stamps[0]), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
          "vkGetQueryPoolResults");
    for (const Range& range : ranges_) {
        if (range.begin == kNoQuery || range.end == kNoQuery) continue;
        const double ms = device_.milliseconds(stamps[range.begin], stamps[range.end]);
        const auto same = std::find_if(times.begin(), times.end(),
                                       [&](const PassTime& t) { return t.scope == range.scope && t.name == range.name; });
        if (same == times.end()) {
            times.push_back({range.name, range.calls, ms, range.scope});
        } else {
            same->calls += range.calls;
            same->ms += ms;
        }
    }
    return times;
}

}  // namespace wisp::engine
