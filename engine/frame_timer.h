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

/// What a command does, as the accounting has it: see docs/performance.md for the rule.
struct Work {
    std::uint64_t threads = 0;  ///< invocations asked for; 0 for a transfer
    std::uint64_t bytes = 0;    ///< that it must move at least
};

/// GPU time of one pass (all its dispatches of a frame together), or of a scope with the work of all passes in it.
struct PassTime {
    std::string name;
    std::uint32_t calls = 0;
    double ms = 0.0;
    bool scope = false;
    Work work{};
    std::uint64_t invocations = 0;  ///< that the device counted (RecorderOptions::statistics); else 0
};

/// When a run of equal passes, or a scope, was at work [ns of the host's steady clock].
struct GpuRange {
    std::string name;
    bool scope = false;
    std::int64_t begin = 0, end = 0;
};

/// What the CPU did for a frame, and when [ns, see hostNow]: waited for the frame's slot, recorded, submitted.
struct FrameCpu {
    std::int64_t wait = 0, record = 0, submit = 0, end = 0;  ///< when each began
};

/// One frame on the host's clock.
struct FrameTrace {
    FrameCpu cpu;
    std::vector<GpuRange> gpu;
};

enum class Timing {
    Off,
    Scopes,  ///< two timestamps a scope: does not disturb what it measures
    Passes,  ///< also one pair for each run of equal passes
};

/// Timestamps of one frame in flight. What does not fit into its query pool any more is left out of `read`.
class FrameTimer {
public:
    static constexpr std::uint32_t kQueries = 4096;

    /// `statistics` also counts invocations of passes, on a device that can; their times are then not to be trusted.
    FrameTimer(Device& device, Timing timing, bool statistics = false);
    ~FrameTimer();
    FrameTimer(const FrameTimer&) = delete;
    FrameTimer& operator=(const FrameTimer&) = delete;

    void reset();  ///< forgets everything; the GPU must be done with the frame

    /// Begins a run of `name`, or counts one more call if it is the run that is open.
    void pass(VkCommandBuffer commands, std::string_view name, const Work& work);
    void endPass(VkCommandBuffer commands);
    std::size_t beginScope(VkCommandBuffer commands, std::string_view name);
    void endScope(VkCommandBuffer commands, std::size_t scope);
    /// Says that work was recorded: until then one timestamp serves as the end of a run and the begin of the next.
    void workRecorded() { stampIsCurrent_ = false; }

    /// Times by name, in order of first appearance. The GPU must be done with the frame, here and below.
    [[nodiscard]] std::vector<PassTime> read() const;
    /// The same, run by run.
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
