// SPDX-License-Identifier: MIT
#include "app/base/exit_status.h"
#include "app/base/log.h"
#include "app/cli/cli.h"
#include "files/base/failure.h"
#include "wisp/error.h"

#include <csignal>
#include <cstdio>
#include <new>

namespace {

using wisp::Exit;

Exit run(int argc, char** argv) {
    try {
        return wisp::app::runCommandLine(argc, argv);
    } catch (const wisp::Error& e) {
        // Of a scene it is already of the form file:line:column: message, which editors parse.
        wisp::app::say("{}{}\n", e.code() == wisp::ErrorCode::Scene ? "" : "wisp: ", e.what());
        return wisp::app::exitStatusOf(e.code());
    } catch (const wisp::Failure& e) {
        wisp::app::say("wisp: {}\n", e.what());
        return e.status();
    } catch (const std::bad_alloc&) {
        std::fputs("wisp: the host is out of memory\n", stderr);
        return Exit::OutOfMemory;
    } catch (const std::exception& e) {
        wisp::app::say("wisp: {}\n", e.what());
        return Exit::Failed;
    }
}

}  // namespace

int main(int argc, char** argv) {
    // A closed pipe or an exceeded file size limit must make `write` return an error, not kill the process.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    Exit status = run(argc, argv);
    // Text on stdout is a result, so a failed write to stdout is an output error.
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && (status == Exit::Done || status == Exit::Failed)) {
        std::fputs("wisp: stdout: cannot be written\n", stderr);
        status = Exit::Output;
    }
    return static_cast<int>(status);
}
