// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <filesystem>

namespace wisp::app {

/// What a file may hold, so that reading takes bounded memory and time.
inline constexpr std::uintmax_t kMaxEnvironmentFileBytes = 256u << 20;

/// An equirectangular picture of surroundings: Radiance .hdr or OpenEXR .exr, by what its first bytes say.
/// @throws std::runtime_error that says what is wrong.
EnvironmentImage readEnvironment(const std::filesystem::path& file);

}  // namespace wisp::app
