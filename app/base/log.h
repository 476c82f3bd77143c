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

/// Messages for the user go to stderr, because stdout carries only results. Errors are always shown.
class Log {
public:
    explicit Log(LogLevel level = LogLevel::Normal) : level_(level) {}

    [[nodiscard]] LogLevel level() const { return level_; }
    void note(std::string_view text) const {
        if (level_ != LogLevel::Quiet) say("{}\n", text);
    }
    void debug(std::string_view text) const {
        if (level_ == LogLevel::Debug) say("{}\n", text);
    }
    void error(std::string_view text) const { say("wisp: {}\n", text); }

private:
    LogLevel level_;
};

}  // namespace wisp::app
