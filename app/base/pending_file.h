// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/failure.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace wisp::app {

/// @throws Failure Output always: "PATH: WHAT: the system's reason". `error` is an errno.
[[noreturn]] void failOutput(const std::filesystem::path& path, std::string_view what, int error);

/// Removes the temporary files of all that is pending, and ends those who write them; a signal handler may, before it ends the program.
void removeTemporaries() noexcept;

/// A file that appears under its name only once it is whole. Until `commit` it is ".name.tmp-PID" in the same folder, and
/// goes away with this object. What exists and is no regular file (a pipe, /dev/full) is written in place instead.
class PendingFile {
public:
    /// Creates the file, so that an unwritable place shows at once. @throws Failure Output.
    explicit PendingFile(std::filesystem::path target);
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    ~PendingFile();

    void write(std::string_view bytes);  ///< appends. @throws Failure Output
    void sync();                         ///< waits until what was written would outlive a power cut. @throws Failure Output
    void commit();                       ///< closes and renames. @throws Failure Output; that of a write that failed, too

    [[nodiscard]] const std::filesystem::path& target() const { return target_; }
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }  ///< for another program to write
    void setWriter(pid_t program);                                                       ///< that program, or 0: no more

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int file_ = -1;
    int slot_ = -1;  ///< where removeTemporaries finds it
    int error_ = 0;  ///< of a write; the file has a hole from there on
    bool rename_ = true;
};

void writeWhole(const std::filesystem::path& path, std::string_view bytes);

}  // namespace wisp::app
