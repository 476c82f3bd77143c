// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace wisp::app {

/// How far a run is: a bar with the time left on a terminal, otherwise a line every 1.5 s. A thread of its own draws it,
/// so that it stays alive while the GPU's thread waits.
class Progress {
public:
    Progress(const Log& log, std::string unit, std::size_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void phase(std::string name);  ///< what is done before counting starts
    /// So many of the total are done; `begun` of them, a fraction, are done in part, of which `detail` says more.
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
    double share_ = 0.0, firstShare_ = 0.0;  ///< of the total, now and when `start_` was set
    Clock::time_point start_ = Clock::now();
    bool stopped_ = false;
    std::thread thread_;
};

}  // namespace wisp::app
