// SPDX-License-Identifier: MIT
#include "app/run/start.h"

#include "api/scene_impl.h"
#include "compute/sim/fluid_simulator.h"
#include "files/checkpoint/checkpoint.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wisp::app {
namespace {

/// Makes equal initial images of both scenes the same object, because comparisons of settings compare pointers.
void shareImages(const Settings& from, Settings& to) {
    for (std::size_t i = 0; i < std::min(from.initial.size(), to.initial.size()); ++i) {
        const auto &a = from.initial[i].image, &b = to.initial[i].image;
        if (a && b && *a == *b) to.initial[i].image = a;
    }
}

[[noreturn]] void refuse(const CheckpointFile& file, const std::string& why) {
    throw Failure(Exit::Usage, fmt::format("{}: {}", file.path().string(), why));
}

/// Such as "grid.cells is [32, 16, 16] in the checkpoint and [64, 32, 32] in the scene".
std::string difference(const std::string& key, const Settings& before, const Settings& now) {
    const auto a = sceneValues(before), b = sceneValues(now);
    if (!a.contains(key) || !b.contains(key) || a.at(key) == b.at(key)) return fmt::format("{} differs from the checkpoint", key);
    return fmt::format("{} is {} in the checkpoint and {} in the scene", key, a.at(key), b.at(key));
}

/// True if obstacles, sides, time step or inflow differ. This needs memory that the scene of the checkpoint may not need.
bool movesSolids(const Settings& a, const Settings& b) {
    return a.obstacles != b.obstacles || a.grid.sides != b.grid.sides || a.timeStep != b.timeStep || a.flow.inflow != b.flow.inflow;
}

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
    const CheckpointHeader& head = file.head();
    const auto own = [&](const SceneOptions& overrides) {
        Settings settings = parseScene(head.scene, file.path().string(), overrides);
        settings.name = head.name;
        return settings;
    };
    SceneOptions unscaled = optionsOf(options.load);
    unscaled.quality = QualityLevel::Standard;  // the cells in the scene of the checkpoint are already scaled
    Settings before = own({}), scene;
    glm::uvec3 ownCells{0};
    QualityLevel level = QualityLevel::Standard;
    if (options.scene.empty()) {
        scene = own(unscaled);
        ownCells = scene.grid.cells;
    } else {
        const LoadedScene loaded = given();
        level = options.autoQuality ? levelWithCells(loaded, before.grid.cells) : levelOf(options.load.quality);
        scene = atLevel(loaded, level);
        ownCells = loaded.ownCells;
    }
    if (meshHashes(before) != head.meshes) refuse(file, "its mesh files have changed");
    if (meshHashes(scene) == head.meshes) scene.meshes = before.meshes;
    shareImages(before, scene);
    if (hasField(head, "colours")) before.coloured = scene.coloured = true;
    if (!head.run.overrides.empty() || movesSolids(before, scene)) before.byHand = scene.byHand = true;
    if (const std::string key = fixedKey(before, scene); !key.empty()) refuse(file, difference(key, before, scene));
    return {std::move(scene), std::move(before), std::move(file), ownCells, level};
}

}  // namespace wisp::app
