// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/frame_pattern.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

struct VolumePattern {
    FramePattern names;
    bool atlas = false;  ///< .exr files with the velocity in slices
};

/// Parses a pattern of file names. @throws Failure Usage, also if the images have the same names, or if this build cannot write the format.
VolumePattern parseVolumePattern(const std::filesystem::path& volume, const std::filesystem::path& pictures, std::size_t frames);

/// The parts of "density,vel".
std::vector<std::string> splitNames(const std::string& names);

}  // namespace wisp::app
