// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_reader.h"

#include <filesystem>

namespace wisp::app {

/// A scene's `look`: another file with tables and keys, such as lights, surroundings and tone curve, that hold where the scene has none of
/// its own. A word is one of the looks that come with wisp; else it is the path of a .toml file, relative to `folder`. Does nothing without
/// one; reports it if it cannot be used.
/// @throws SceneFailure if that file is no TOML
void applyLook(toml::table& scene, const std::filesystem::path& folder, SceneLog& log);

}  // namespace wisp::app
