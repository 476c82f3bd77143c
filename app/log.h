// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string_view>

namespace wisp::app {

enum class LogLevel { Quiet, Normal, Debug };

/// Messages for people, on stderr: stdout carries results only. Errors are always shown.
class Log {
public:
    explicit Log(LogLevel level = LogLevel::Normal) : level_(level) {}

    [[nodiscard]] LogLevel level() const { return level_; }
    void note(std::string_view text) const {
        if (level_ != LogLevel::Quiet) fmt::print(stderr, "{}\n", text);
    }
    void debug(std::string_view text) const {
        if (level_ == LogLevel::Debug) fmt::print(stderr, "{}\n", text);
    }
    void error(std::string_view text) const { fmt::print(stderr, "wisp: {}\n", text); }

private:
    LogLevel level_;
};

}  // namespace wisp::app
