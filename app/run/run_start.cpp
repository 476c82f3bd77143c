// SPDX-License-Identifier: MIT
#include "app/run/run_start.h"

namespace wisp::app {
namespace {

/// Gives the scene the quality level with the cells of the checkpoint; standard if there is no such level.
void takeCells(Scene& scene, const Scene& checkpoint) {
    const std::string cells = checkpoint.get("grid.cells");
    for (const std::string& level : Scene::qualities())
        if (scene.setQuality(level).get("grid.cells") == cells) return;
    scene.setQuality("standard");
}

}  // namespace

RunStart runStartOf(const CommonOptions& options) {
    if (options.resume.empty()) return {Scene::load(options.scene, options.load), std::nullopt};
    const std::string file = options.resume.string();
    RunStart start{{}, CheckpointInfo::read(file)};
    LoadOptions load = options.load;
    if (options.scene.empty()) {
        load.quality = "standard";  // the cells in the scene of the checkpoint are already scaled
        start.scene = Scene::ofCheckpoint(file, load);
    } else {
        start.scene = Scene::load(options.scene, load);
        if (options.autoQuality) takeCells(start.scene, Scene::ofCheckpoint(file));
    }
    return start;
}

}  // namespace wisp::app
