// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/environment.h"

#include <string_view>

namespace wisp {

/// Whether a file is a Radiance image: its first line names the program that wrote it.
[[nodiscard]] bool isHdr(std::string_view bytes);

/// Reads a Radiance image of shared exponents (RGBE) with the lines "±Y height ±X width": without compression, with the runs of each
/// channel that are usual now, and with the older runs of whole pixels. Source: Ward, "Radiance file formats".
/// @throws std::runtime_error with the reason
EnvironmentImage readHdr(std::string_view bytes);

}  // namespace wisp
