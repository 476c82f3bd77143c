// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wisp {

/// Whether the key, such as "camera.eye" or "obstacle[0].colour", changes only pictures in this scene, and not its simulation.
bool isOfPicture(std::string_view key, const Settings& settings);

/// Everything in these settings that a simulation depends on, as lines of "key = value" and hashes. Equal texts: the same simulation, as
/// long as the volume files and images that it reads are the same. Files have their names without folders; meshes and data in memory count
/// by their contents.
std::string simulatedText(const Settings& settings);

/// Hashes of the meshes of a scene.
std::vector<std::uint64_t> meshHashes(const Settings& settings);

}  // namespace wisp
