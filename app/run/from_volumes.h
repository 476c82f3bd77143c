// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "app/run/start.h"

namespace wisp::app {

/// The start of a run that draws the volume files `options.from` instead of a simulation: the scene without its smoke, and the files as its
/// initial smoke. Without SCENE, a scene around the smoke. Sets the number of frames, if it is not given.
/// @throws SceneFailure; Failure Usage that names a file.
Start startFromVolumes(RenderOptions& options);

}  // namespace wisp::app
