// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/path.h"

#include <span>
#include <vector>

/// Importance sampling of an environment image by path mode, see shaders/shared/environment_sampling.glsl.
namespace wisp {

/// Probability of each texel: its luminance times the solid angle of its hat function, which is its weight in the interpolation.
/// The sum is 1. Empty if the image is black.
std::vector<double> environmentProbabilities(const EnvironmentImage& image);

/// Alias table (Vose 1991), for sampling an index by two uniform random numbers in constant time. The first number selects an entry.
/// The second keeps the entry with the probability `keep`, and selects `other` otherwise.
/// @param chances not negative, sum 1
std::vector<gpu::AliasEntry> aliasTable(std::span<const double> chances);

/// rgb = radiance; a = probability density of sampled directions at the centre of the texel, times the sine of the angle to the y axis
/// [1/sr]. a is 0 if `chances` is empty.
std::vector<glm::vec4> environmentTexels(const EnvironmentImage& map, std::span<const double> chances);

}  // namespace wisp
