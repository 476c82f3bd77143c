// SPDX-License-Identifier: MIT
#include "api/resumed_scene.h"

#include "compute/sim/fluid_simulator.h"
#include "files/base/failure.h"
#include "files/checkpoint/checkpoint.h"
#include "files/scene/scene_writer.h"
#include "files/scene/simulated_keys.h"
#include "wisp/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace wisp {
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

}  // namespace

Settings sceneOf(const CheckpointFile& file, SceneOptions options) {
    options.lines = false;  // the text is part of the checkpoint
    Settings settings = parseScene(file.head().scene, file.path().string(), options);
    settings.name = file.head().name;
    return settings;
}

ResumedScenes resumedScenes(const CheckpointFile& file, Settings scene) {
    const CheckpointHeader& head = file.head();
    const Settings own = sceneOf(file);
    Settings before = head.sceneOfStep.empty() ? own : parseScene(head.sceneOfStep, file.path().string(), {});
    HostInput host = head.host;
    if (scene.follow.keys != own.follow.keys) host.target.reset();  // as a change of the scene does
    if (meshHashes(own) != head.meshes || meshHashes(before) != head.meshes) refuse(file, "its mesh files have changed");
    if (meshHashes(scene) == head.meshes) scene.meshes = before.meshes;
    shareImages(before, scene);
    if (hasField(head, "colours")) before.coloured = scene.coloured = true;
    const bool moved = !head.run.overrides.empty() || !host.obstacles.empty();
    if (scene.byHand || moved || movesSolids(before, scene)) before.byHand = scene.byHand = true;
    if (const std::string key = fixedKey(before, scene); !key.empty()) {
        const std::string why = difference(key, before, scene);
        throw Error(ErrorCode::Unsupported, fmt::format("{}: {}", file.path().string(), why), {{"", 0, 0, key, why}});
    }
    if (host.target && scene.follow.keys.empty()) refuse(file, "the target of its box needs follow.keys, which its scene does not have");
    return {std::move(before), std::move(scene), std::move(host)};
}

}  // namespace wisp
