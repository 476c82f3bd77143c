// SPDX-License-Identifier: MIT
// Files that the window writes, in the current folder. Existing files are never overwritten.
#pragma once

#include "app/live/scene_session.h"

#include <filesystem>

namespace wisp::app {

/// The full path of NAME-000.EXTENSION in the current folder, or the first number that is free.
std::filesystem::path freePath(const std::string& name, const std::string& extension);

// The following functions return a message for the user.
/// Writes a PNG of `pixels` without panels. The image is rendered again if that of the window has another size.
std::string savePicture(SceneSession& session, const CameraSettings& camera, glm::uvec2 pixels);
std::string saveScene(const Settings& scene);
std::string saveRun(SceneSession& session, const Settings& scene);  ///< a checkpoint with `scene` as its scene file

}  // namespace wisp::app
