// SPDX-License-Identifier: MIT
#include "tests/support/virtual_display.h"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wisp::test {

VirtualDisplay::VirtualDisplay() {
    int ends[2];
    if (::pipe(ends) != 0) return;
    server_ = ::fork();
    if (server_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // ends Xvfb even if the test crashes
        ::dup2(ends[1], 3);                  // Xvfb writes its display number here
        const int nothing = ::open("/dev/null", O_RDWR);
        ::dup2(nothing, 1);
        ::dup2(nothing, 2);
        ::execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string number;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
    ::close(ends[0]);
    if (number.empty()) return;
    name_ = ":" + number;
    if (const char* display = std::getenv("DISPLAY")) {
        before_ = display;
        hadDisplay_ = true;
    }
    ::setenv("DISPLAY", name_.c_str(), 1);
}

VirtualDisplay::~VirtualDisplay() {
    if (!name_.empty()) hadDisplay_ ? ::setenv("DISPLAY", before_.c_str(), 1) : ::unsetenv("DISPLAY");
    if (server_ <= 0) return;
    ::kill(server_, SIGTERM);
    ::waitpid(server_, nullptr, 0);
}

}  // namespace wisp::test
