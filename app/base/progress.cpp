// SPDX-License-Identifier: MIT
#include "app/base/progress.h"

#include "files/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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

// Without the time since the last unit, the time left would grow until the next one is done: to twice the right time after the second of
// many slow frames.
double timeLeft(const Shares& shares, std::chrono::duration<double> measured, std::chrono::duration<double> since) {
    const double perShare = measured.count() / (shares.now - shares.first), rest = 1.0 - shares.now;
    return perShare * rest - std::min(since.count(), perShare * std::min(shares.unit, rest));
}

Progress::Progress(const Log& log, std::string unit, std::size_t total)
    : unit_(std::move(unit)),
      total_(total),
      style_(log.progress()),
      terminal_(style_ == ProgressStyle::Auto && ::isatty(STDERR_FILENO) == 1),
      begin_(log.begin()),
      end_(log.end()),
      share_(total == 0 ? end_ : begin_),
      firstShare_(begin_) {
    if (style_ == ProgressStyle::None || (log.level() == LogLevel::Quiet && !isForProgram())) return;
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
    const double share = std::clamp(begin_ + (end_ - begin_) * std::max(static_cast<double>(done), begun) / total, share_, end_);
    if (share > share_) reached_ = Clock::now();
    share_ = share;
    if (!phase_.empty()) {
        phase_.clear();
        start_ = reached_ = Clock::now();
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
    if (isForProgram()) try {
            show();
        } catch (const std::bad_alloc&) {}  // without the last message
}

std::optional<double> Progress::secondsLeft() const {
    if (!phase_.empty() || share_ <= firstShare_) return std::nullopt;
    const double unit = (end_ - begin_) / static_cast<double>(std::max<std::size_t>(total_, 1));
    return timeLeft({firstShare_, share_, unit}, reached_ - start_, Clock::now() - reached_);
}

std::string Progress::line() const {
    if (!phase_.empty()) return fmt::format("{} ... {:.0f} s", phase_, std::chrono::duration<double>(Clock::now() - start_).count());
    std::string text = fmt::format("{} {}/{}  {:3.0f} %", unit_, done_, total_, 100.0 * share_);
    if (!detail_.empty()) text += "  " + detail_;
    if (const std::optional<double> left = secondsLeft()) text += fmt::format("  {} left", clockText(*left));
    if (!terminal_) return text;
    const auto filled = static_cast<std::size_t>(std::lround(share_ * kBarWidth));
    return fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'), text);
}

/// The messages of the section "Stdout/Stderr Messages" of the specification "How Jobs Are Run".
std::string Progress::openJobDescription() const {
    const std::string status = phase_.empty() ? fmt::format("{} {}/{}", unit_, done_, total_) : phase_;
    return fmt::format("openjd_progress: {:.1f}\nopenjd_status: {}\n", 100.0 * share_, status);
}

std::string Progress::json() const {
    const auto rounded = [](double value, double unit) { return std::round(value * unit) / unit; };
    const std::optional<double> left = secondsLeft();
    const Json state{{"share", rounded(share_, 1e4)},
                     {"done", done_},
                     {"total", total_},
                     {"unit", unit_},
                     {"seconds_left", left ? Json(rounded(*left, 10.0)) : Json()},
                     {"phase", phase_.empty() ? Json() : Json(phase_)}};
    return state.dump() + '\n';
}

/// Writes to stdout. main() reports errors of stdout.
void Progress::tell(const std::string& messages) {
    if (messages == told_) return;
    told_ = messages;
    std::fputs(messages.c_str(), stdout);
    std::fflush(stdout);  // the program that reads them waits for them
}

void Progress::show() {
    if (style_ == ProgressStyle::OpenJobDescription) tell(openJobDescription());
    else if (style_ == ProgressStyle::Json) tell(json());
    else if (terminal_) say("\r{}\033[K", line());
    else say("{}\n", line());
}

void Progress::draw() {
    const std::chrono::milliseconds interval(terminal_ ? 200 : isForProgram() ? 1000 : 1500);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, interval, [&] { return stopped_; })) try {
            show();
        } catch (const std::bad_alloc&) {  // skip this update
        }
}

}  // namespace wisp::app
