// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/memory_data.h"
#include "files/scene/quality_level.h"
#include "files/scene/scene_error.h"
#include "files/scene/scene_files.h"
#include "files/scene/scene_override.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wisp {

struct SceneOptions {
    std::vector<Override> overrides;  ///< in order; later ones override earlier ones
    QualityLevel quality = QualityLevel::Standard;
    const MemoryData* memory = nullptr;  ///< what the program has given in memory; may be null
    bool lines = true;                   ///< messages give line and column: not if a program has made the text
    bool shows = false;                  ///< the scene shows its volume files instead of simulating
    bool ranges = true;                  ///< check ranges and what depends on several keys, not only names and types
};

/// @throws SceneFailure with all errors.
Settings parseScene(std::string_view text, const std::string& file, const SceneOptions& options = {});
Settings loadScene(const std::filesystem::path& file, const SceneOptions& options = {});
struct LoadedScene {
    Settings settings;
    glm::uvec3 ownCells{0};  ///< cells of the scene before `options.quality` scales them
};
LoadedScene loadSceneAndCells(const std::filesystem::path& file, const SceneOptions& options);

/// Settings of a scene, loaded at Standard, at another level.
Settings atLevel(const LoadedScene& scene, QualityLevel level);

}  // namespace wisp
