// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <filesystem>

namespace wisp::app {

/// A picture that smoke begins as, by what its first bytes say: PNG, as 8-bit sRGB; or OpenEXR and Radiance as readEnvironment reads them.
/// @throws std::runtime_error that says what is wrong.
InitialImage readInitialImage(const std::filesystem::path& file);

}  // namespace wisp::app
