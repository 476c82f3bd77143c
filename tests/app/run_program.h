// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scratch_folder.h"

#include <filesystem>
#include <string>

namespace wisp::test {

/// Pictures of a field in colours. They need no raymarch pipeline. Its creation takes more than half of the time of a short run on a CPU
/// device. For tests of everything that comes before or after the passes of a picture.
inline const std::string kPlain = " --view density ";

/// The program in a shell command line: a variable that runShell() sets.
#define WISP_BINARY "$WISP_BINARY"

struct Outcome {
    int status = -1;  ///< exit status, or 128 + signal
    std::string output;
    std::string errors;
};

/// Runs a shell command line in `folder` and waits for it. Settings and caches of wisp are in a folder of this call, unless the line names
/// another folder. They are never the user's.
Outcome runShell(const std::string& command, const std::filesystem::path& folder);

/// A command prefix that allows `mount` in a separate mount namespace, with the rights of the user or of root. Empty if there is none.
std::string mountsOfItsOwn();
/// Whether a test that cannot run here must fail (WISP_REQUIRE_VULKAN=1) instead of being skipped. A skipped test looks like a passed one.
bool everythingRequired();

/// Factor for time limits: programs under a sanitizer are slower.
inline const int kPatience = std::string(WISP_SANITIZER).empty() ? 1 : 8;

std::string readFile(const std::filesystem::path& path);

}  // namespace wisp::test
