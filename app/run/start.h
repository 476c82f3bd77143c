// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "compute/scene/settings.h"
#include "engine/device.h"
#include "files/checkpoint/checkpoint_file.h"
#include "files/scene/quality_level.h"

#include <optional>

namespace wisp::app {

/// The options as those of the engine.
engine::DeviceOptions engineOptions(const DeviceOptions& options);

/// Start of a run: a scene, and the checkpoint to resume from, if any.
struct Start {
    Settings scene;
    Settings before;  ///< scene of the checkpoint; without a checkpoint equal to `scene`
    std::optional<CheckpointFile> from;
    glm::uvec3 ownCells{0};                       ///< cells of the scene before scaling by --quality
    QualityLevel level = QualityLevel::Standard;  ///< level of the cells of `scene`; Standard for a scene from a checkpoint
};

/// With `autoQuality`, a resumed run keeps the cells of the checkpoint. For a given SCENE, the level with these cells is chosen.
/// @throws SceneFailure; Failure Usage if the checkpoint is invalid or does not belong to the scene.
Start startOf(const CommonOptions& options);

}  // namespace wisp::app
