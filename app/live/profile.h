// SPDX-License-Identifier: MIT
#pragma once

#include "engine/frame_timer.h"

#include <deque>
#include <string>
#include <vector>

namespace wisp::app {

/// Times of the last pictures, for the profiler's panel.
class Profile {
public:
    static constexpr std::size_t kHistory = 240;  ///< pictures

    /// A picture's passes, and how long it took from the one before.
    void add(const std::vector<engine::PassTime>& passes, double frameMs, double recordMs);

    struct Row {
        std::string name;
        std::uint32_t calls = 0;
        double mean = 0.0, last = 0.0;  ///< [ms] over the history; of the newest picture
    };
    [[nodiscard]] std::vector<Row> rows() const;  ///< the dearest first
    /// Whole GPU time, and the clock's, of each picture of the history, the oldest first [ms].
    [[nodiscard]] std::vector<float> gpuMs() const;
    [[nodiscard]] std::vector<float> frameMs() const;
    /// Of the frame times; `share` in [0, 1]. 0 before the first picture.
    [[nodiscard]] double percentile(double share) const;
    [[nodiscard]] double recordMs() const;  ///< mean CPU time of a picture's recording and submitting
    /// One line a pass: name,calls,mean_ms,last_ms.
    [[nodiscard]] std::string csv() const;

private:
    struct Frame {
        std::vector<engine::PassTime> passes;
        double frame = 0.0, record = 0.0;
    };
    std::deque<Frame> frames_;
};

}  // namespace wisp::app
