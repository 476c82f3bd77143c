// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/prescribed.h"

#include <cstdint>

namespace wisp {

/// The data that shaders/shared/prescribed.glsl reads.
gpu::PrescribedData prescribedData(const PrescribedSettings& settings);

/// Upper bound of the speeds [m/s] at which fluid enters or leaves a cell through its faces, summed over the faces.
double maxCellThroughput(const Settings& settings);

/// The greatest speed in the plane z = 0 of the box [m/s].
float greatestSpeed(const Settings& settings);

/// The angle of the arrow in a column and a row [rad].
float arrowAngle(const PrescribedSettings& settings, glm::uvec2 at);
void setArrowAngle(PrescribedSettings& settings, glm::uvec2 at, float angle);

/// Number of substeps of upwind.comp in a step, so that nothing moves by more than a scalar cell in a substep.
std::uint32_t upwindSteps(const Settings& settings);

}  // namespace wisp
