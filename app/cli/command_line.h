// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/bench/options.h"
#include "app/cli/commands.h"
#include "app/job/job.h"
#include "app/live/options.h"
#include "app/run/options.h"
#include "app/wedge/options.h"
#include "files/base/failure.h"

#include <string>
#include <variant>

namespace wisp::app {

/// Output of the parser itself: requested help, an error message, or the manual page.
struct Answer {
    std::string out, err;  ///< for stdout and stderr
    Exit status = Exit::Done;
};

/// A parsed command line.
struct CommandLine {
    std::variant<Answer, LiveOptions, RenderOptions, SimOptions, WedgeOptions, BenchOptions, ProfileOptions, JobOptions, InfoOptions,
                 CheckOptions, ScenesOptions>
        command;
    LogLevel logLevel = LogLevel::Normal;
    ProgressStyle progress = ProgressStyle::Auto;
    std::string deviceOfEnvironment;  ///< value of WISP_DEVICE, if it selects the device
};

/// Parses only: runs nothing and opens no file. @throws Failure Usage
CommandLine parseCommandLine(int argc, const char* const* argv);

}  // namespace wisp::app
