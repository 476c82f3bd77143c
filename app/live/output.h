// SPDX-License-Identifier: MIT
// What a window writes: files in the current folder, beside earlier ones, never over them.
#pragma once

#include "app/run/stage.h"

#include <filesystem>

namespace wisp::app {

/// Host memory that the limits of a field's picture take beside it, with what copies are aligned to.
inline constexpr std::uint64_t kLimitsBytes = 256;

/// NAME-000.png, or the first number that is free.
std::filesystem::path freePath(const std::string& name, const std::string& extension);

// All return what to tell the user.
/// A PNG of so many pixels without panels: what the window shows, drawn anew where its picture has another size.
std::string savePicture(Stage& stage, engine::Device& device, const CameraSettings& camera, glm::uvec2 pixels);
std::string saveScene(const Settings& scene);
std::string saveRun(Stage& stage, const Settings& scene);  ///< a checkpoint; `scene` is what its file would say

}  // namespace wisp::app
