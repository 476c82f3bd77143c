// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/frame_pattern.h"
#include "files/volume/volume.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

struct VolumePattern {
    FramePattern names;
    VolumeKind kind = VolumeKind::NanoVdb;
};

/// Parses a pattern of file names. @throws Failure Usage, also if the images have the same names, or if this build cannot write the format.
VolumePattern parseVolumePattern(const std::filesystem::path& volume, const std::filesystem::path& pictures, std::size_t frames);

/// The parts of "density,vel".
std::vector<std::string> splitNames(const std::string& names);

}  // namespace wisp::app
