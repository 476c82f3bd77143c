// SPDX-License-Identifier: MIT
#include "app/base/interrupt.h"

#include "files/base/failure.h"
#include "files/base/pending_file.h"

#include <csignal>
#include <ctime>
#include <unistd.h>

namespace wisp::app {
namespace {

// Global variables, because a signal handler has no other way to pass data. The slots of pending_file.cpp are global for the same reason.
volatile std::sig_atomic_t signalled = 0;
timespec firstSignal{};  // used only by the handler

/// Programs such as timeout(1) signal the process and then its process group. Two signals within 0.2 s count as one.
extern "C" void onSignal(int) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    if (signalled == 0) firstSignal = now;
    const double apart = static_cast<double>(now.tv_sec - firstSignal.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - firstSignal.tv_nsec);
    if (signalled != 0 && apart > 0.2) {
        removeTemporaries();
        ::_exit(static_cast<int>(Exit::Interrupted));
    }
    signalled = 1;
}

}  // namespace

void catchInterrupts() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;  // resume an interrupted write
    sigfillset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction hangup {};  // the terminal or the connection to it is closed; nohup(1) ignores it
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() { return signalled != 0; }

}  // namespace wisp::app
