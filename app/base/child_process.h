// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wisp::app {

/// A child process that reads from a pipe. Its stderr is captured. It has its own process group, so that Ctrl-C reaches only
/// wisp and the child can finish its output.
class ChildProcess {
public:
    /// Looks `arguments[0]` up on PATH. @throws std::system_error if it cannot be started.
    explicit ChildProcess(const std::vector<std::string>& arguments);
    ~ChildProcess();  ///< kills the process if it still runs
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Returns false if the process has closed its input. SIGPIPE must be ignored.
    bool write(std::span<const std::byte> bytes);
    /// Closes the input and waits for the process to exit. Returns true if its exit status is 0.
    bool finish();
    [[nodiscard]] pid_t pid() const { return pid_; }  ///< -1 once it has finished
    /// The text that the process has written to stderr so far.
    [[nodiscard]] std::string messages() const;

private:
    void closeInput();
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, CloseFile> messages_;
    pid_t pid_ = -1;
    int input_ = -1;
};

}  // namespace wisp::app
