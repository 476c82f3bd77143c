// SPDX-License-Identifier: MIT
// Reads from the environment which call must fail. Used by the Vulkan layer and by the preloaded library.
#pragma once

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace wisp::test {

inline void appendToLog(const std::string& text) {
    const char* const path = std::getenv("WISP_FAULT_LOG");
    const int file = path ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file < 0) return;
    [[maybe_unused]] const ssize_t written = ::write(file, text.data(), text.size());
    ::close(file);
}

[[noreturn]] inline void sleepForEver() {
    appendToLog("calls hanging 1\n");
    for (;;) ::pause();
}

/// "CALL:N:WHAT" or "CALL:N+:WHAT".
struct Fault {
    std::string call;  ///< "*": every call
    long first = 0;    ///< from 1
    bool onwards = false;
    int what = 0;       ///< a VkResult or an errno
    int signal = 0;     ///< raised instead of an error
    bool hang = false;  ///< the call never returns
    std::string when;   ///< a file: calls are counted only after it exists
    long seen = 0;

    /// Counts a call. Returns whether it must fail. A signal is raised here.
    bool strikes(std::string_view name) {
        if (first == 0 || (call != "*" && call != name)) return false;
        if (!when.empty() && ::access(when.c_str(), F_OK) != 0) return false;
        ++seen;
        const bool struck = onwards ? seen >= first : seen == first;
        if (struck && hang) sleepForEver();
        if (struck && signal != 0) ::raise(signal);
        return struck;
    }
};

inline Fault readFault(const char* variable) {
    const char* const given = std::getenv(variable);
    const std::string text = given ? given : "";
    const std::size_t n = text.find(':'), what = text.find(':', n + 1);
    if (what == std::string::npos) return {};
    Fault fault{text.substr(0, n), std::atol(text.c_str() + n + 1)};
    fault.onwards = text[what - 1] == '+';
    fault.hang = text.substr(what + 1) == "HANG";
    if (const char* const file = std::getenv("WISP_FAULT_WHEN")) fault.when = file;
    if (text.substr(what + 1) == "SIGINT") fault.signal = SIGINT;
    else fault.what = std::atoi(text.c_str() + what + 1);
    return fault;
}

}  // namespace wisp::test
