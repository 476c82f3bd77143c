// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/failure.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace wisp {

/// @throws Failure Output always, with the message "PATH: WHAT: text of errno `error`".
[[noreturn]] void failOutput(const std::filesystem::path& path, std::string_view what, int error);

/// Makes a folder, and those above it. An empty path is the current folder. @throws Failure Output.
void makeFolder(const std::filesystem::path& folder);

/// Removes all temporary files and kills the processes that write them. A signal handler may call this before it ends the program.
void removeTemporaries() noexcept;

/// A file that appears under its name only when it is complete. Until `commit` its name is ".name.tmp-PID" in the same folder, or if
/// another process has that, ".name.tmp-PID-1" and so on. The destructor removes it. An existing target that is not a regular file (a pipe,
/// /dev/full) is written in place instead.
class PendingFile {
public:
    /// Creates the file, so that an unwritable path fails immediately. @throws Failure Output.
    explicit PendingFile(std::filesystem::path target);
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    ~PendingFile();

    void write(std::string_view bytes);  ///< appends. @throws Failure Output
    void sync();                         ///< flushes the data to the disk (fsync). @throws Failure Output
    void commit();                       ///< closes and renames. @throws Failure Output, also for an earlier failed write

    [[nodiscard]] const std::filesystem::path& target() const { return target_; }
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }  ///< for a child process that writes the file
    void setWriter(pid_t program);  ///< process id of that child, or 0 when it has ended

private:
    void create();
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int file_ = -1;
    int slot_ = -1;  ///< index of the slot that removeTemporaries reads
    int error_ = 0;  ///< errno of the first failed write; the file is incomplete
    bool rename_ = true;
};

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace wisp
