// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/outside_air.h"

namespace wisp {

/// The ambient flow around the box at a time [s]. `settings.grid` holds the position of the box.
gpu::OutsideAir outsideAir(const Settings& settings, double time);

}  // namespace wisp
