// SPDX-License-Identifier: MIT
#include "app/cli/cli.h"

#include "app/cli/arguments.h"
#include "app/cli/command_line.h"
#include "app/run/cached_film.h"
#include "wisp/error.h"

#include <fmt/format.h>

namespace wisp::app {
namespace {

/// Runs a command.
struct Run {
    Log log;

    Exit operator()(const Answer& answer) const {
        fmt::print("{}", answer.out);
        say("{}", answer.err);
        return answer.status;
    }
    Exit operator()(const LiveOptions& options) const { return live(options, log), Exit::Done; }
    Exit operator()(const RenderOptions& options) const { return render(options, log), Exit::Done; }
    Exit operator()(const SimOptions& options) const { return simulateToCache(options.run, log), Exit::Done; }
    Exit operator()(const WedgeOptions& options) const { return wedge(options, log), Exit::Done; }
    Exit operator()(const BenchOptions& options) const { return bench(options, log), Exit::Done; }
    Exit operator()(const ProfileOptions& options) const { return profile(options), Exit::Done; }
    Exit operator()(const JobOptions& options) const { return writeJob(options, log), Exit::Done; }
    Exit operator()(const InfoOptions& options) const { return info(options.json), Exit::Done; }
    Exit operator()(const CheckOptions& options) const { return check(options.common), Exit::Done; }
    Exit operator()(const ScenesOptions&) const { return listScenes(), Exit::Done; }
};

}  // namespace

Exit runCommandLine(int argc, char** argv) {
    const CommandLine line = parseCommandLine(argc, argv);
    try {
        return std::visit(Run{Log(line.logLevel, line.progress)}, line.command);
    } catch (const Error& e) {
        if (e.code() != ErrorCode::NoDevice || line.deviceOfEnvironment.empty()) throw;
        throw Error(e.code(), fmt::format("{}\nThe environment variable {} is \"{}\"; --device replaces it.", e.what(), kDeviceVariable,
                                          line.deviceOfEnvironment));
    }
}

}  // namespace wisp::app
