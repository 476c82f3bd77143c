// SPDX-License-Identifier: MIT
#include "engine/frame_timer.h"

#include "engine/device.h"
#include "engine/gpu_clock.h"

#include <algorithm>

namespace wisp::engine {

namespace {

constexpr std::uint32_t kNoQuery = ~0u;

VkQueryPool createPool(Device& device, VkQueryType type, const char* name) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = type;
    info.queryCount = FrameTimer::kQueries;
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS) info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    VkQueryPool pool = VK_NULL_HANDLE;
    check(device.vk.CreateQueryPool(device.handle(), &info, nullptr, &pool), "vkCreateQueryPool");
    device.setName(VK_OBJECT_TYPE_QUERY_POOL, pool, name);
    return pool;
}

Work& operator+=(Work& a, const Work& b) {
    a.threads += b.threads;
    a.bytes += b.bytes;
    return a;
}

}  // namespace

FrameTimer::FrameTimer(Device& device, Timing timing, bool statistics) : device_(device), timing_(timing) {
    if (timing_ == Timing::Off) return;
    pool_ = createPool(device, VK_QUERY_TYPE_TIMESTAMP, "timestamps");
    if (!statistics || timing_ != Timing::Passes || !device.report().statistics) return;
    try {
        statistics_ = createPool(device, VK_QUERY_TYPE_PIPELINE_STATISTICS, "pipeline statistics");
    } catch (...) {
        device.vk.DestroyQueryPool(device.handle(), pool_, nullptr);
        throw;
    }
}

FrameTimer::~FrameTimer() {
    device_.vk.DestroyQueryPool(device_.handle(), pool_, nullptr);
    device_.vk.DestroyQueryPool(device_.handle(), statistics_, nullptr);
}

void FrameTimer::setTiming(Timing timing) {
    if (timing != Timing::Off && !pool_) pool_ = createPool(device_, VK_QUERY_TYPE_TIMESTAMP, "timestamps");
    timing_ = timing;
}

void FrameTimer::reset() {
    if (pool_) device_.vk.ResetQueryPool(device_.handle(), pool_, 0, kQueries);
    if (statistics_) device_.vk.ResetQueryPool(device_.handle(), statistics_, 0, kQueries);
    used_ = statisticsUsed_ = 0;
    stampIsCurrent_ = false;
    passOpen_ = false;
    ranges_.clear();
    openScopes_.clear();
}

std::uint32_t FrameTimer::stamp(VkCommandBuffer commands) {
    if (stampIsCurrent_) return used_ - 1;
    if (used_ == kQueries) return kNoQuery;
    device_.vk.CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, used_);
    stampIsCurrent_ = true;
    return used_++;
}

void FrameTimer::pass(VkCommandBuffer commands, std::string_view name, const Work& work) {
    for (const std::size_t scope : openScopes_) ranges_[scope].work += work;
    if (timing_ != Timing::Passes) return;
    if (!passOpen_ || ranges_[openPass_].name != name) {
        endPass(commands);
        openPass_ = ranges_.size();
        ranges_.push_back({std::string(name), 0, stamp(commands), kNoQuery});
        passOpen_ = true;
        if (statistics_ && statisticsUsed_ < kQueries) {
            ranges_.back().statistic = statisticsUsed_++;
            device_.vk.CmdBeginQuery(commands, statistics_, ranges_.back().statistic, 0);
        }
    }
    ++ranges_[openPass_].calls;
    ranges_[openPass_].work += work;
}

void FrameTimer::endPass(VkCommandBuffer commands) {
    if (!passOpen_) return;
    Range& range = ranges_[openPass_];
    if (range.statistic != kNoQuery) device_.vk.CmdEndQuery(commands, statistics_, range.statistic);
    range.end = stamp(commands);
    passOpen_ = false;
}

std::size_t FrameTimer::beginScope(VkCommandBuffer commands, std::string_view name) {
    if (timing_ == Timing::Off) return 0;
    endPass(commands);
    ranges_.push_back({std::string(name), 1, stamp(commands), kNoQuery, true});
    openScopes_.push_back(ranges_.size() - 1);
    return openScopes_.back();
}

void FrameTimer::endScope(VkCommandBuffer commands, std::size_t scope) {
    if (timing_ == Timing::Off) return;
    endPass(commands);
    ranges_[scope].end = stamp(commands);
    std::erase(openScopes_, scope);
}

std::vector<std::uint64_t> FrameTimer::results(VkQueryPool pool, std::uint32_t count) const {
    std::vector<std::uint64_t> values(count);
    if (count == 0) return values;
    device_.checkRun(device_.vk.GetQueryPoolResults(device_.handle(), pool, 0, count, values.size() * sizeof(values[0]), values.data(),
                                                    sizeof(values[0]), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                     "vkGetQueryPoolResults");
    return values;
}

std::vector<PassTime> FrameTimer::read() const {
    std::vector<PassTime> times;
    const std::vector<std::uint64_t> stamps = results(pool_, used_), counts = results(statistics_, statisticsUsed_);
    for (const Range& range : ranges_) {
        if (range.begin == kNoQuery || range.end == kNoQuery) continue;
        auto same = std::find_if(times.begin(), times.end(),
                                 [&](const PassTime& t) { return t.scope == range.scope && t.name == range.name; });
        if (same == times.end()) same = times.insert(same, {.name = range.name, .scope = range.scope});
        same->calls += range.calls;
        same->ms += device_.milliseconds(stamps[range.begin], stamps[range.end]);
        same->work += range.work;
        if (range.statistic != kNoQuery) same->invocations += counts[range.statistic];
    }
    return times;
}

std::vector<GpuRange> FrameTimer::ranges(const GpuClock& clock) const {
    std::vector<GpuRange> list;
    const std::vector<std::uint64_t> stamps = results(pool_, used_);
    for (const Range& range : ranges_) {
        if (range.begin == kNoQuery || range.end == kNoQuery) continue;
        list.push_back({range.name, range.scope, clock.hostTime(stamps[range.begin]), clock.hostTime(stamps[range.end])});
    }
    return list;
}

}  // namespace wisp::engine
