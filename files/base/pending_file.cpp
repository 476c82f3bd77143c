// SPDX-License-Identifier: MIT
#include "files/base/pending_file.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace wisp {

namespace fs = std::filesystem;

namespace {

/// Name of a temporary file. A signal handler reads it, so it needs a fixed address.
struct Slot {
    std::atomic<bool> taken{false}, named{false};
    std::atomic<pid_t> writer{0};
    char name[PATH_MAX];
};
Slot slots[64];

/// Returns -1 if no slot is free or the name is too long. The file is then not removed when a signal ends the program.
int enroll(const std::string& name) {
    for (int i = 0; name.size() < PATH_MAX && i < static_cast<int>(std::size(slots)); ++i) {
        if (slots[i].taken.exchange(true)) continue;
        std::memcpy(slots[i].name, name.c_str(), name.size() + 1);
        slots[i].named = true;
        return i;
    }
    return -1;
}

void withdraw(int slot) noexcept {
    if (slot < 0) return;
    slots[slot].named = false;
    slots[slot].writer = 0;
    slots[slot].taken = false;
}

}  // namespace

void removeTemporaries() noexcept {
    for (const Slot& slot : slots) {
        if (!slot.named) continue;
        if (const pid_t writer = slot.writer; writer > 0) ::kill(writer, SIGKILL);  // it could create the file again
        ::unlink(slot.name);
    }
}

void failOutput(const fs::path& path, std::string_view what, int error) {
    throw Failure(Exit::Output, fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

void makeFolder(const fs::path& folder) {
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error) failOutput(folder, "the folder cannot be created", error.value());
}

PendingFile::PendingFile(fs::path target) : target_(std::move(target)) {
    std::error_code ignored;
    const fs::file_status found = fs::status(target_, ignored);
    if (fs::is_directory(found)) failOutput(target_, "cannot be written", EISDIR);
    rename_ = !fs::exists(found) || fs::is_regular_file(found);
    create();
    if (file_ >= 0) return;
    const int error = errno;
    withdraw(slot_);
    failOutput(target_, "cannot be created", error);
}

/// On a shared disk a process of another machine may have the same number, so no existing temporary file is used.
void PendingFile::create() {
    constexpr int kMost = 1000;
    std::error_code ignored;
    for (int n = 0; n < kMost; ++n) {
        const std::string number = n == 0 ? "" : fmt::format("-{}", n);
        temporary_ = rename_ ? target_.parent_path() / fmt::format(".{}.tmp-{}{}", target_.filename().string(), ::getpid(), number)
                             : target_;
        if (rename_) slot_ = enroll(fs::absolute(temporary_, ignored).string());
        file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (rename_ ? O_EXCL : O_TRUNC), 0666);
        if (file_ >= 0 || !rename_ || errno != EEXIST) return;
        withdraw(std::exchange(slot_, -1));
    }
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      slot_(std::exchange(other.slot_, -1)),
      error_(other.error_),
      rename_(other.rename_) {}

PendingFile::~PendingFile() {
    if (file_ >= 0) {
        ::close(file_);
        if (rename_) ::unlink(temporary_.c_str());
    }
    withdraw(slot_);
}

void PendingFile::setWriter(pid_t program) {
    if (slot_ >= 0) slots[slot_].writer = program;
}

void PendingFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(file_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) failOutput(target_, "cannot be written", error_ = errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

void PendingFile::sync() {
    if (::fsync(file_) != 0 && errno != EINVAL) failOutput(target_, "cannot be written", errno);  // pipes and devices return EINVAL
}

void PendingFile::commit() {
    const int file = std::exchange(file_, -1);
    int error = ::close(file) == 0 ? error_ : errno;  // some file systems report a full disk only here
    if (error == 0 && rename_ && std::rename(temporary_.c_str(), target_.c_str()) != 0) error = errno;
    if (error == 0) return;
    if (rename_) ::unlink(temporary_.c_str());
    failOutput(target_, "cannot be written", error);
}

void writeFileAtomically(const fs::path& path, std::string_view bytes) {
    PendingFile file(path);
    file.write(bytes);
    file.commit();
}

}  // namespace wisp
