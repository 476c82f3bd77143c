// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <filesystem>

namespace wisp {

/// Reads an image of the initial smoke. The first bytes determine the format: PNG (as 8-bit sRGB), or OpenEXR and Radiance (as in
/// readEnvironment). @throws std::runtime_error with the reason.
InitialImage readInitialImage(const std::filesystem::path& file);

}  // namespace wisp
