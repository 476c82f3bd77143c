// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/failure.h"
#include "app/base/log.h"
#include "app/bench/options.h"
#include "app/cli/commands.h"
#include "app/live/options.h"
#include "app/run/options.h"

#include <string>
#include <variant>

namespace wisp::app {

/// What the parser says itself: the help that was asked for, what is wrong, the manual page.
struct Answer {
    std::string out, err;  ///< for stdout and stderr
    Exit status = Exit::Done;
};

/// What a command line asks for.
struct CommandLine {
    std::variant<Answer, LiveOptions, RenderOptions, BenchOptions, ProfileOptions, InfoOptions, CheckOptions, ScenesOptions> command;
    LogLevel logLevel = LogLevel::Normal;
};

/// Nothing runs yet, and no file is opened. @throws Failure Usage
CommandLine parseCommandLine(int argc, const char* const* argv);

}  // namespace wisp::app
