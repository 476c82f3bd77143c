// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <filesystem>
#include <memory>

namespace wisp {

/// Reads an image of the initial smoke. The first bytes determine the format: PNG (as 8-bit sRGB), or OpenEXR and Radiance (as in
/// readEnvironment). @throws std::runtime_error with the reason.
InitialImage readInitialImage(const std::filesystem::path& file);
/// The same. While an image is in use, it is not read again, unless its file has changed.
std::shared_ptr<const InitialImage> sharedInitialImage(const std::filesystem::path& file);

}  // namespace wisp
