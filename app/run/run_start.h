// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "wisp/checkpoint.h"
#include "wisp/scene.h"

#include <optional>

namespace wisp::app {

/// Start of a run: a scene, and the checkpoint to resume from, if any.
struct RunStart {
    Scene scene;
    std::optional<CheckpointInfo> from;
};

/// With `autoQuality`, a resumed run keeps the cells of the checkpoint. For a given SCENE, the level with these cells is chosen.
/// @throws Error Scene, or File if the checkpoint is invalid.
RunStart runStartOf(const CommonOptions& options);

}  // namespace wisp::app
