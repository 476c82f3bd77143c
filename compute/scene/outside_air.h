// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/outside_air.h"

namespace wisp {

/// The air around the box, where `settings.grid` has it, at a time [s].
gpu::OutsideAir outsideAir(const Settings& settings, double time);

}  // namespace wisp
