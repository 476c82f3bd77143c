// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_reader.h"

#include <filesystem>

namespace wisp {

/// Applies the `look` of a scene: a file whose tables and keys (such as lights, surroundings and tone curve) are used where the scene has
/// none of its own. The value is the name of a built-in look or the path of a .toml file relative to `folder`. Does nothing without the key
/// `look`. Errors go to `log`.
/// @throws SceneFailure if the file is not valid TOML
void applyLook(toml::table& scene, const std::filesystem::path& folder, SceneLog& log);

}  // namespace wisp
