// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "wisp/needs.h"
#include "wisp/renderer.h"

#include <glm/vec2.hpp>

#include <cstdint>

namespace wisp {

/// Memory for reading a picture back [bytes].
std::uint64_t pictureReadback(PictureContent content, glm::uvec2 pixels);

/// The needs of a simulation with these settings. @throws Error Argument; Unsupported.
Needs needsOf(const RunNeeds& needs, const Settings& settings);

}  // namespace wisp
