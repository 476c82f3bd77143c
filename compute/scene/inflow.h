// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/inflow.h"

namespace wisp {

/// Smoke that comes in at a time [s]. `channels`: those that a density of 1 is in.
gpu::InflowPush inflowPush(const Settings& settings, double time, glm::vec4 channels);

}  // namespace wisp
