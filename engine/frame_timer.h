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

/// GPU time of one pass (all its dispatches of a frame together), or of a scope.
struct PassTime {
    std::string name;
    std::uint32_t calls = 0;
    double ms = 0.0;
    bool scope = false;
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

    FrameTimer(Device& device, Timing timing);
    ~FrameTimer();
    FrameTimer(const FrameTimer&) = delete;
    FrameTimer& operator=(const FrameTimer&) = delete;

    void reset();  ///< forgets everything; the GPU must be done with the frame

    /// Begins a run of `name`, or counts one more call if it is the run that is open.
    void pass(VkCommandBuffer commands, std::string_view name);
    void endPass(VkCommandBuffer commands);
    std::size_t beginScope(VkCommandBuffer commands, std::string_view name);
    void endScope(VkCommandBuffer commands, std::size_t scope);
    /// Says that work was recorded: until then one timestamp serves as the end of a run and the begin of the next.
    void workRecorded() { stampIsCurrent_ = false; }

    /// Times by name, in order of first appearance. The GPU must be done with the frame.
    [[nodiscard]] std::vector<PassTime> read() const;

private:
    struct Range {
        std::string name;
        std::uint32_t calls = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        bool scope = false;
    };
    std::uint32_t stamp(VkCommandBuffer commands);

    Device& device_;
    Timing timing_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::uint32_t used_ = 0;
    bool stampIsCurrent_ = false;
    bool passOpen_ = false;
    std::size_t openPass_ = 0;
    std::vector<Range> ranges_;
};

}  // namespace wisp::engine
