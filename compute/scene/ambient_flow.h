// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/ambient_flow.h"

namespace wisp {

/// The ambient flow around the box at a time [s]. `settings.grid` holds the position of the box.
gpu::AmbientFlow ambientFlow(const Settings& settings, double time);

}  // namespace wisp
