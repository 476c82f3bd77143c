// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <array>

/// The surroundings as the shaders have them: a map of what is seen, and spherical harmonics of what lights the smoke.
namespace wisp {

/// Radiance times intensity: one texel if it is the same everywhere, a column for a gradient.
EnvironmentImage environmentMap(const EnvironmentSettings& settings);
glm::uvec2 environmentMapSize(const EnvironmentSettings& settings);

/// Factors of 1, x, y, z, xy, yz, zx, 3y^2 - 1, x^2 - z^2 of the direction (x, y, z): the first three bands of the map, as
/// shaders/shared/environment.glsl interpolates it. [0] is its mean over the sphere.
/// @param rotation about y [rad]
/// @param mirrored the upper half is taken twice: over a ground that hides the lower one, as sky_volume.comp knows by itself
std::array<glm::vec3, 9> environmentHarmonics(const EnvironmentImage& map, float rotation, bool mirrored);

/// What is wrong with an image of surroundings; empty: nothing.
std::string environmentProblem(const EnvironmentImage& image);

/// Whether paths look for the surroundings at all: path mode, and an image that is not black.
bool samplesEnvironment(const Settings& settings);

}  // namespace wisp
