// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace wisp::app {

enum class LogLevel { Quiet, Normal, Debug };

/// Writes to stderr and ignores write errors. fmt::print would throw.
template <class... A>
void say(fmt::format_string<A...> text, const A&... arguments) {
    std::fputs(fmt::vformat(text, fmt::make_format_args(arguments...)).c_str(), stderr);
}

/// How the progress of a run is shown (app/base/progress.h).
enum class ProgressStyle { Auto, Plain, OpenJobDescription, Json, None };

/// Messages for the user go to stderr, because stdout carries only results. Errors are always shown.
class Log {
public:
    explicit Log(LogLevel level = LogLevel::Normal, ProgressStyle progress = ProgressStyle::Auto) : level_(level), progress_(progress) {}

    [[nodiscard]] LogLevel level() const { return level_; }
    [[nodiscard]] ProgressStyle progress() const { return progress_; }
    /// For one of several runs of a command: its progress is that of the command from the share `begin` to `end`, of 0 to 1.
    [[nodiscard]] Log part(double begin, double end) const {
        Log log = *this;
        log.begin_ = begin_ + (end_ - begin_) * begin;
        log.end_ = begin_ + (end_ - begin_) * end;
        return log;
    }
    [[nodiscard]] double begin() const { return begin_; }
    [[nodiscard]] double end() const { return end_; }
    void note(std::string_view text) const {
        if (level_ != LogLevel::Quiet) say("{}\n", text);
    }
    void debug(std::string_view text) const {
        if (level_ == LogLevel::Debug) say("{}\n", text);
    }
    void error(std::string_view text) const { say("wisp: {}\n", text); }

private:
    LogLevel level_;
    ProgressStyle progress_;
    double begin_ = 0.0, end_ = 1.0;
};

}  // namespace wisp::app
