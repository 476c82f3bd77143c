// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wisp::engine {

class Device;
class GpuClock;

/// Work of one command, counted by the rule in docs/performance.md.
struct Work {
    std::uint64_t threads = 0;  ///< requested invocations; 0 for a transfer
    std::uint64_t bytes = 0;    ///< minimum memory traffic
};

/// GPU time of one pass (sum over its dispatches in a frame), or of a scope with the work of all passes in it.
struct PassTime {
    std::string name;
    std::uint32_t calls = 0;
    double ms = 0.0;
    bool scope = false;
    Work work{};
    std::uint64_t invocations = 0;  ///< counted by the device if RecorderOptions::statistics is set; else 0
};

/// Begin and end of a scope, or of consecutive dispatches of one pass [ns, host's steady clock].
struct GpuRange {
    std::string name;
    bool scope = false;
    std::int64_t begin = 0, end = 0;
};

/// CPU times of a frame [ns, see hostNow]: when waiting for the frame's slot, recording and submission began, and when submission ended.
struct FrameCpu {
    std::int64_t wait = 0, record = 0, submit = 0, end = 0;
};

/// One frame on the host's clock.
struct FrameTrace {
    FrameCpu cpu;
    std::vector<GpuRange> gpu;
};

enum class Timing {
    Off,
    Scopes,  ///< two timestamps for each scope: does not affect the measured times
    Passes,  ///< also two timestamps for consecutive dispatches of one pass
};

/// Timestamps of one frame in flight. `read` omits passes and scopes for which the query pool has no queries left.
class FrameTimer {
public:
    static constexpr std::uint32_t kQueries = 4096;

    /// `statistics`: also count the invocations of passes, if the device supports it. This makes the times unreliable.
    FrameTimer(Device& device, Timing timing, bool statistics = false);
    ~FrameTimer();
    FrameTimer(const FrameTimer&) = delete;
    FrameTimer& operator=(const FrameTimer&) = delete;

    void setTiming(Timing timing);  ///< the frame has ended, and the GPU has completed it
    void reset();                   ///< discards all times; the GPU must have completed the frame

    /// Begins a range for the pass `name`, or counts one more call if that range is still open.
    void pass(VkCommandBuffer commands, std::string_view name, const Work& work);
    void endPass(VkCommandBuffer commands);
    std::size_t beginScope(VkCommandBuffer commands, std::string_view name);
    void endScope(VkCommandBuffer commands, std::size_t scope);
    /// Call after recording work. Without work in between, one timestamp is both the end of a range and the begin of the next.
    void workRecorded() { stampIsCurrent_ = false; }

    /// Times by name, in order of first appearance. For `read` and `ranges`, the GPU must have completed the frame.
    [[nodiscard]] std::vector<PassTime> read() const;
    /// Begin and end of every range.
    [[nodiscard]] std::vector<GpuRange> ranges(const GpuClock& clock) const;

private:
    struct Range {
        std::string name;
        std::uint32_t calls = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        bool scope = false;
        Work work{};
        std::uint32_t statistic = ~0u;
    };
    std::uint32_t stamp(VkCommandBuffer commands);
    [[nodiscard]] std::vector<std::uint64_t> results(VkQueryPool pool, std::uint32_t count) const;

    Device& device_;
    Timing timing_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    VkQueryPool statistics_ = VK_NULL_HANDLE;
    std::uint32_t used_ = 0;
    std::uint32_t statisticsUsed_ = 0;
    bool stampIsCurrent_ = false;
    bool passOpen_ = false;
    std::size_t openPass_ = 0;
    std::vector<Range> ranges_;
    std::vector<std::size_t> openScopes_;
};

}  // namespace wisp::engine
