// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <filesystem>

namespace wisp {

/// Maximum file size, so that reading takes bounded memory and time.
inline constexpr std::uintmax_t kMaxEnvironmentFileBytes = 256u << 20;

/// Reads an equirectangular environment map, Radiance .hdr or OpenEXR .exr. The first bytes determine the format.
/// @throws std::runtime_error with the reason.
EnvironmentImage readEnvironment(const std::filesystem::path& file);

}  // namespace wisp
