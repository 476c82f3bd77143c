// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace wisp::app {

/// Shows the progress of a run. On a terminal: a bar with the remaining time. Otherwise: a line every 1.5 s. A separate thread draws it,
/// so that it updates while the main thread waits for the GPU.
class Progress {
public:
    Progress(const Log& log, std::string unit, std::size_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void phase(std::string name);  ///< shows `name` until the first `advance`
    /// `done` units of the total are complete. `begun` (optional) includes the completed fraction of the current unit. `detail` is shown as
    /// text.
    void advance(std::size_t done, double begun = 0.0, std::string detail = {});
    void stop();  ///< removes the bar

private:
    using Clock = std::chrono::steady_clock;
    void draw();
    [[nodiscard]] std::string line() const;

    std::string unit_;
    std::size_t total_;
    bool terminal_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::string phase_, detail_;
    std::size_t done_ = 0;
    double share_ = 0.0, firstShare_ = 0.0;  ///< fraction of the total, now and when `start_` was set
    Clock::time_point start_ = Clock::now();
    bool stopped_ = false;
    std::thread thread_;
};

}  // namespace wisp::app
