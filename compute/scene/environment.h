// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <array>

/// The environment as the shaders read it: a map for camera rays, and spherical harmonics for the light on the smoke.
namespace wisp {

/// Radiance times intensity: one texel if it is uniform, a column for a gradient.
EnvironmentImage environmentMap(const EnvironmentSettings& settings);
glm::uvec2 environmentMapSize(const EnvironmentSettings& settings);

/// Coefficients of 1, x, y, z, xy, yz, zx, 3y^2 - 1, x^2 - z^2 for the direction (x, y, z): the first three bands of the map, as
/// shaders/shared/environment.glsl interpolates it. [0] is the mean over the sphere.
/// @param rotation about y [rad]
/// @param mirrored the lower half is replaced by the mirrored upper half: for a ground that hides it. sky_volume.comp handles the ground
std::array<glm::vec3, 9> environmentHarmonics(const EnvironmentImage& map, float rotation, bool mirrored);

/// Why an environment image may not have this size; empty if it may.
std::string environmentSizeProblem(std::int64_t width, std::int64_t height);
/// The problem of an environment image; empty if it is valid.
std::string environmentProblem(const EnvironmentImage& image);

/// Whether the path tracer samples the environment directly: path mode, and an image that is not black.
bool samplesEnvironment(const Settings& settings);

}  // namespace wisp
