// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/motion.h"
#include "compute/scene/settings.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace wisp {

/// The greatest speed [m/s] of the surface of an obstacle in a step from `time` [s] of settings.timeStep.
double obstacleSpeed(const Settings& settings, const ObstacleSettings& obstacle, double time);

/// Cells by which a liquid moves at most in a part of a step. The extrapolated velocity around it has WISP_LIQUID_LAYERS layers.
inline constexpr double kCellsInPart = 3.0;
/// Largest number of parts of a step. `validate` rejects scenes that would begin with more.
inline constexpr std::uint32_t kMostParts = 256;

/// The number of equal parts in which a step from `time` [s] is computed: 1 for smoke. A liquid moves by at most kCellsInPart in a part, by
/// a bound on its speed: that of all that sets it in motion, and of a fall through the whole box. `painted` and `moved`: emitters that the
/// user adds, and motions of obstacles that replace those of their settings. The bound needs no result of the GPU, so every run of a scene
/// has the same parts. Source: Bridson 2015, Fluid Simulation for Computer Graphics, chapter 3, with 3 cells instead of 5.
std::uint32_t partsOfStep(const Settings& settings, double time, std::span<const EmitterSettings> painted = {},
                          const std::map<std::size_t, MotionSegment>& moved = {});
/// The same number without its upper limit.
double partsWanted(const Settings& settings, double time, std::span<const EmitterSettings> painted = {},
                   const std::map<std::size_t, MotionSegment>& moved = {});

}  // namespace wisp
