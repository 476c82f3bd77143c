// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace wisp::app {

/// Shares of a command.
struct Shares {
    double first;  ///< done when the measurement started
    double now;    ///< done, more than `first`
    double unit;   ///< of a unit, such as a frame
};
/// Time left [s]. `measured`: from `first` to `now`; `since`: from then on, a part of the next unit.
double timeLeft(const Shares& shares, std::chrono::duration<double> measured, std::chrono::duration<double> since);

/// Shows the progress of a run in the style of the log. Auto: on a terminal a bar with the remaining time, otherwise as Plain: a line every
/// 1.5 s on stderr. OpenJobDescription and Json: messages for a program on stdout, every second and at the end, also if the log is quiet.
/// A separate thread writes it, so that it updates while the main thread waits for the GPU.
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
    void stop();  ///< removes the bar, or tells a program the last state

private:
    using Clock = std::chrono::steady_clock;
    void draw();
    void show();
    void tell(const std::string& messages);
    [[nodiscard]] std::optional<double> secondsLeft() const;
    [[nodiscard]] std::string line() const;
    [[nodiscard]] std::string openJobDescription() const;
    [[nodiscard]] std::string json() const;
    [[nodiscard]] bool isForProgram() const { return style_ == ProgressStyle::OpenJobDescription || style_ == ProgressStyle::Json; }

    std::string unit_;
    std::size_t total_;
    ProgressStyle style_;
    bool terminal_;     ///< draws a bar
    std::string told_;  ///< the last messages for a program
    std::mutex mutex_;
    std::condition_variable wake_;
    std::string phase_, detail_;
    std::size_t done_ = 0;
    double begin_, end_;                                         ///< shares of the command that this run begins and ends with
    double share_, firstShare_;                                  ///< of the command, now and when `start_` was set
    Clock::time_point start_ = Clock::now(), reached_ = start_;  ///< of `firstShare_` and of `share_`
    bool stopped_ = false;
    std::thread thread_;
};

}  // namespace wisp::app
