// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/checkpoint_file.h"
#include "app/run/options.h"

namespace wisp::app {

/// What goes on from a checkpoint has nothing of what was before: it must not take the place of that. @throws Failure Usage naming the file
void requireRoom(const RenderOptions& options, const Settings& settings, const CheckpointHead& head);
/// A run without --overwrite leaves a video, images and volumes of an earlier run as they are. @throws Failure Usage naming the file
void requireNewFiles(const RenderOptions& options);
/// Probes must not have the file of another output. @throws Failure Usage naming the key
void requireOwnFiles(const RenderOptions& options, const Settings& settings);

}  // namespace wisp::app
