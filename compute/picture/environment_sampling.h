// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/path.h"

#include <span>
#include <vector>

/// How path mode looks for the light of an image of surroundings: where it is bright, see shaders/shared/environment_sampling.glsl.
namespace wisp {

/// Chance of each texel: its luminance times the solid angle of its hat, the weight that interpolation gives it around its centre.
/// Their sum is 1; none if the image is black.
std::vector<double> environmentChances(const EnvironmentImage& image);

/// Chooses one of many by two uniform numbers, whatever their number (Vose 1991): the first chooses an entry, which stays with a
/// chance of `keep` and else is `other`.
/// @param chances not negative, sum 1
std::vector<gpu::AliasEntry> aliasTable(std::span<const double> chances);

/// rgb = radiance; a = density of the directions that are looked at, at the centre of the texel, times the sine of the angle to
/// the y axis [1/sr]. 0 without chances.
std::vector<glm::vec4> environmentTexels(const EnvironmentImage& map, std::span<const double> chances);

}  // namespace wisp
