// SPDX-License-Identifier: MIT
#include "app/base/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <system_error>
#include <unistd.h>

namespace wisp::app {
namespace {

constexpr std::size_t kBarWidth = 30;

std::string clockText(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                        : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(const Log& log, std::string unit, std::size_t total)
    : unit_(std::move(unit)), total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {
    if (log.level() == LogLevel::Quiet) return;
    try {
        thread_ = std::thread([this] { draw(); });
    } catch (const std::system_error&) {  // no progress display
    }
}

Progress::~Progress() { stop(); }

void Progress::phase(std::string name) {
    const std::lock_guard lock(mutex_);
    phase_ = std::move(name);
    start_ = Clock::now();
}

void Progress::advance(std::size_t done, double begun, std::string detail) {
    const std::lock_guard lock(mutex_);
    const double total = static_cast<double>(std::max<std::size_t>(total_, 1));
    share_ = std::clamp(std::max(static_cast<double>(done), begun) / total, share_, 1.0);
    if (!phase_.empty()) {
        phase_.clear();
        start_ = Clock::now();
        firstShare_ = share_;
    }
    done_ = done;
    detail_ = std::move(detail);
}

void Progress::stop() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    wake_.notify_all();
    thread_.join();
    if (terminal_) say("\r\033[K");
}

std::string Progress::line() const {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!phase_.empty()) return fmt::format("{} ... {:.0f} s", phase_, elapsed);
    const double share = total_ == 0 ? 1.0 : share_;
    std::string text = fmt::format("{} {}/{}  {:3.0f} %", unit_, done_, total_, 100.0 * share);
    if (!detail_.empty()) text += "  " + detail_;
    if (share > firstShare_) text += fmt::format("  {} left", clockText(elapsed * (1.0 - share) / (share - firstShare_)));
    if (!terminal_) return text;
    const auto filled = static_cast<std::size_t>(std::lround(share * kBarWidth));
    return fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'), text);
}

void Progress::draw() {
    const std::chrono::milliseconds interval(terminal_ ? 200 : 1500);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, interval, [&] { return stopped_; })) try {
            if (terminal_) say("\r{}\033[K", line());
            else say("{}\n", line());
        } catch (const std::bad_alloc&) {  // skip this update
        }
}

}  // namespace wisp::app
