// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace wisp::app {

/// [lm/W] Converts radiant units of a scene to the luminous units of glTF, as Blender converts them back. It is the efficacy of green
/// light, so the lights have no true luminous power.
inline constexpr double kLumensPerWatt = 683.0;

/// The pictures of a film. Picture n shows the time (n + 1) * stepsPerFrame * timeStep, and is at n / fps in the file.
struct FilmFrames {
    std::size_t count = 1;
    double fps = 60.0;
    std::uint32_t stepsPerFrame = 1;
};

/// @throws Failure Usage if the file of --scene-out is no .glb.
void requireSceneOutName(const std::filesystem::path& file);

/// The bodies, the ground, the camera and the lights of a scene as a binary glTF 2.0 file, with y up. Bodies have the poses that the
/// simulation uses. @throws Failure Output if it is larger than a .glb can be.
std::string encodeSceneGlb(const Settings& settings, const FilmFrames& frames);

}  // namespace wisp::app
