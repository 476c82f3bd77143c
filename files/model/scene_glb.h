// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/scene.h"

#include <string>

namespace wisp {

/// [lm/W] Converts radiant units of a scene to the luminous units of glTF, as Blender converts them back. It is the efficacy of green
/// light, so the lights have no true luminous power.
inline constexpr double kLumensPerWatt = 683.0;

/// The bodies, the ground, the camera and the lights of a scene as a binary glTF 2.0 file, with y up. Bodies have the poses that the
/// simulation uses. @throws Failure Output if it is larger than a .glb can be.
std::string encodeSceneGlb(const Settings& settings, const FilmFrames& frames);

}  // namespace wisp
