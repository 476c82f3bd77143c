// SPDX-License-Identifier: MIT
#include "app/run/start.h"

#include "api/resumed_scene.h"
#include "api/scene_impl.h"

#include <utility>

namespace wisp::app {
namespace {

/// The quality level at which the scene has `cells`, the cells of the checkpoint. Standard if there is no such level.
QualityLevel levelWithCells(const LoadedScene& scene, glm::uvec3 cells) {
    for (const QualityLevel level : kQualityLevels)
        if (atLevel(scene, level).grid.cells == cells) return level;
    return QualityLevel::Standard;
}

}  // namespace

engine::DeviceOptions engineOptions(const DeviceOptions& o) {
    return {.select = o.select, .allowCpu = o.allowCpu, .validate = o.validate, .cacheFolder = o.cacheFolder};
}

Start startOf(const CommonOptions& options) {
    const auto given = [&] { return loadSceneAndCells(findScene(options.scene), optionsOf(options.load)); };
    if (options.resume.empty()) {
        const LoadedScene scene = given();
        return {scene.settings, scene.settings, std::nullopt, scene.ownCells, levelOf(options.load.quality)};
    }
    CheckpointFile file(options.resume);
    Settings scene;
    glm::uvec3 ownCells{0};
    QualityLevel level = QualityLevel::Standard;
    if (options.scene.empty()) {
        SceneOptions unscaled = optionsOf(options.load);
        unscaled.quality = QualityLevel::Standard;  // the cells in the scene of the checkpoint are already scaled
        scene = sceneOf(file, unscaled);
        ownCells = scene.grid.cells;
    } else {
        const LoadedScene loaded = given();
        level = options.autoQuality ? levelWithCells(loaded, sceneOf(file).grid.cells) : levelOf(options.load.quality);
        scene = atLevel(loaded, level);
        ownCells = loaded.ownCells;
    }
    ResumedScenes scenes = resumedScenes(file, std::move(scene));
    return {std::move(scenes.scene), std::move(scenes.before), std::move(file), ownCells, level};
}

}  // namespace wisp::app
