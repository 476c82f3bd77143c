// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wisp {

/// The file that contains this code: the program `wisp`, a test, or the shared library, in whatever program. Files that are installed with
/// it are found relative to it, so that an installation can be moved.
struct OwnFile {
    std::filesystem::path path;  ///< without links; empty if it is unknown
    bool isLibrary = false;
};
const OwnFile& ownFile();

}  // namespace wisp
