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

/// A program that reads what is written to it. Its messages are kept, and its process group is its own, so that Ctrl-C
/// reaches wisp alone and what was begun can be finished.
class ChildProcess {
public:
    /// Looks `arguments[0]` up on PATH. @throws std::system_error if it cannot be started.
    explicit ChildProcess(const std::vector<std::string>& arguments);
    ~ChildProcess();  ///< ends it at once if it still runs
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// False if the program has stopped reading. SIGPIPE must be ignored.
    bool write(std::span<const std::byte> bytes);
    /// Ends its input and waits; whether it was content.
    bool finish();
    [[nodiscard]] pid_t pid() const { return pid_; }  ///< -1 once it has finished
    /// What it wrote to stderr so far.
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
