// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/prescribed.h"

#include <cstdint>

namespace wisp {

/// What shaders/shared/prescribed.glsl reads.
gpu::PrescribedData prescribedData(const PrescribedSettings& settings);

/// No cell's faces let in and out more than this [m/s], summed over the axes.
double throughput(const Settings& settings);

/// The greatest speed in the plane z = 0 of the box [m/s].
float greatestSpeed(const Settings& settings);

/// The angle of an arrow [rad].
float arrowAngle(const PrescribedSettings& settings, glm::uvec2 at);
/// Turns an arrow.
void turnArrow(PrescribedSettings& settings, glm::uvec2 at, float angle);

/// Into so many parts a step of upwind.comp is cut: none moves anything by more than a scalar cell.
std::uint32_t upwindSteps(const Settings& settings);

}  // namespace wisp
