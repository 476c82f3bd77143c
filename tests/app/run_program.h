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

std::string readFile(const std::filesystem::path& path);

}  // namespace wisp::test
