// SPDX-License-Identifier: MIT
#pragma once

#include "app/log.h"

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

    void phase(std::string name);    ///< what is done before counting starts
    void advance(std::size_t done);  ///< of the total
    void stop();                     ///< removes the bar

private:
    using Clock = std::chrono::steady_clock;
    void draw();
    [[nodiscard]] std::string line() const;

    std::string unit_;
    std::size_t total_;
    bool terminal_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::string phase_;
    std::size_t done_ = 0;
    Clock::time_point start_ = Clock::now();
    bool stopped_ = false;
    std::thread thread_;
};

}  // namespace wisp::app
