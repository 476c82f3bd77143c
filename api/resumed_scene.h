// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/checkpoint/checkpoint_file.h"
#include "files/checkpoint/host_input.h"
#include "files/scene/scene.h"

namespace wisp {

/// The scene of a checkpoint. @throws SceneFailure
Settings sceneOf(const CheckpointFile& file, SceneOptions options = {});

/// The scene of the last step of a checkpoint, the one that continues it, and what the host has set for that one.
struct ResumedScenes {
    Settings before, scene;
    HostInput host;
};
/// Makes both scenes have the same memory, so that FluidSimulator::change leads from one to the other. @throws Error Unsupported naming the
/// key that a resumed run cannot change; Failure Usage if mesh files have changed.
ResumedScenes resumedScenes(const CheckpointFile& file, Settings scene);

}  // namespace wisp
