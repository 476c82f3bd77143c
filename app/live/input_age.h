// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wisp::app {

/// Input latency: age of the oldest event that a frame shows, when the GPU has completed the frame. Events are only seen when the window is
/// polled and may have waited since the previous poll. Ages count from the previous poll, so they are upper bounds.
class InputAge {
public:
    /// The window was polled at `now` [s]; `any`: there were events.
    void polled(double now, bool any);
    /// The events polled so far are in the frame that is complete when the GPU reaches `serial`.
    void submitted(std::uint64_t serial);
    /// Ages [s] at `now` of the frames completed since the last call.
    std::vector<double> presented(std::uint64_t completed, double now);

private:
    struct Waiting {
        std::uint64_t serial;
        double since;
    };
    double lastPoll_ = 0.0;
    bool polled_ = false;
    std::optional<double> oldest_;
    std::deque<Waiting> waiting_;
};

}  // namespace wisp::app
