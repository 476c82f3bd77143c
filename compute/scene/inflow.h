// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/inflow.h"

namespace wisp {

/// The smoke that enters through inflow sides at a time [s]. `channels`: values of the channels at a density of 1.
gpu::InflowPush inflowPush(const Settings& settings, double time, glm::vec4 channels);

}  // namespace wisp
