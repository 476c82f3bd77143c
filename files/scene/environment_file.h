// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace wisp {

/// Maximum file size, so that reading takes bounded memory and time.
inline constexpr std::uintmax_t kMaxEnvironmentFileBytes = 256u << 20;

/// Reads an equirectangular environment map, Radiance .hdr or OpenEXR .exr. The first bytes determine the format.
/// @throws std::runtime_error with the reason.
EnvironmentImage readEnvironment(const std::filesystem::path& file);
/// The same. While an image is in use, it is not read again, unless its file has changed.
std::shared_ptr<const EnvironmentImage> sharedEnvironment(const std::filesystem::path& file);

}  // namespace wisp
