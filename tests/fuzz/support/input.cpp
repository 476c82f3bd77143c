// SPDX-License-Identifier: MIT
#include "tests/fuzz/support/input.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace wisp::fuzz {

std::filesystem::path fileOf(std::string_view bytes) {
    static const int file = memfd_create("input", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(bytes.size());
    require(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, bytes.data(), bytes.size(), 0) == size, "the input cannot be written");
    return "/proc/self/fd/" + std::to_string(file);
}

void require(bool promise, std::string_view what) {
    if (promise) return;
    std::fprintf(stderr, "FINDING: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

}  // namespace wisp::fuzz
