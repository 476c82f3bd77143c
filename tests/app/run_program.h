// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scratch_folder.h"

#include <filesystem>
#include <string>

namespace wisp::test {

struct Outcome {
    int status = -1;  ///< exit status, or 128 + signal
    std::string output;
    std::string errors;
};

/// Runs a shell command line in `folder` and waits for it. Settings and caches of wisp are in a folder of this call, unless the line
/// names another: never the user's.
Outcome runShell(const std::string& command, const std::filesystem::path& folder);

/// A command before which `mount` works in a name space of its own: by the user's rights, or root's. Empty: there is none.
std::string mountsOfItsOwn();
/// Whether a test that cannot run here is to fail (WISP_REQUIRE_VULKAN=1), not to skip itself: a skip looks like a pass.
bool everythingRequired();

/// How often as long as the program may take for something what a sanitizer watches takes.
inline const int kPatience = std::string(WISP_SANITIZER).empty() ? 1 : 8;

std::string readFile(const std::filesystem::path& path);

}  // namespace wisp::test
