// SPDX-License-Identifier: MIT
#include "app/live/document.h"

#include "app/base/scene_values.h"
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"

#include <algorithm>
#include <stdexcept>

namespace wisp::app {

// The texts have absolute names of files. What is in use under the same name is not read again.

Document documentOf(const Scene& scene) {
    LoadedScene loaded{parseScene(scene.toml("/"), "/", {.lines = false}), {}};
    loaded.settings.name = valueOf<std::string>(scene, "name");
    loaded.ownCells = loaded.settings.grid.cells;
    const QualityLevel level = levelNamed(scene.quality());
    return {atLevel(loaded, level), loaded.ownCells, level};
}

Scene sceneOf(const Settings& settings) { return Scene::parse(writeScene(settings, "/"), "/", {.lines = false}, ""); }

QualityLevel levelNamed(const std::string& name) {
    const auto* const level = std::ranges::find_if(kQualityLevels, [&](QualityLevel l) { return name == nameOf(l); });
    if (level == std::end(kQualityLevels)) throw std::invalid_argument("there is no quality level \"" + name + "\"");
    return *level;
}

SimulationOptions interactiveOptions() { return {.addsObstacles = true, .timing = Timing::Passes, .needs = {.picture = true}}; }

std::uint64_t interactiveMemory(const Device& device, const Scene& scene) {
    std::uint64_t bytes = 0;
    for (const MemoryUse& row : Simulation::plan(device, scene, interactiveOptions())) bytes += row.bytes;
    return bytes;
}

}  // namespace wisp::app
