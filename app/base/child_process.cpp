// SPDX-License-Identifier: MIT
#include "app/base/child_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace wisp::app {
namespace {

void require(int error, const char* what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Redirects stdin, stdout and stderr, starts a new process group and restores the default handler of SIGPIPE.
struct SpawnSetup {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    SpawnSetup(int input, int messages) {
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
        posix_spawnattr_init(&attributes);
        sigset_t defaults;
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnSetup() {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;
};

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) : messages_(std::tmpfile()) {
    require(messages_ ? 0 : errno, "temporary file");
    int ends[2] = {-1, -1};
    require(::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    input_ = ends[1];
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));  // required by the signature of posix_spawnp
    argv.push_back(nullptr);
    const SpawnSetup setup(ends[0], ::fileno(messages_.get()));
    const int error = ::posix_spawnp(&pid_, argv[0], &setup.files, &setup.attributes, argv.data(), environ);
    ::close(ends[0]);
    if (error != 0) closeInput();
    require(error, argv[0]);
}

ChildProcess::~ChildProcess() {
    closeInput();
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::closeInput() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
}

bool ChildProcess::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(input_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

bool ChildProcess::finish() {
    closeInput();
    int status = 0;
    const pid_t pid = std::exchange(pid_, -1);
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string ChildProcess::messages() const {
    std::string text;
    char block[4096];
    const int file = ::fileno(messages_.get());
    for (off_t at = 0;;) {
        const ssize_t n = ::pread(file, block, sizeof block, at);
        if (n <= 0) break;
        text.append(block, static_cast<std::size_t>(n));
        at += n;
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

}  // namespace wisp::app
