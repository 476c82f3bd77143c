// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/options.h"
#include "wisp/scene.h"

namespace wisp::app {

/// A scene that draws the volume files `options.from` instead of a simulation: without its smoke, and with the files as its initial smoke.
/// Without SCENE, a scene around the smoke; notes if its cells are coarser than the voxels. Sets the number of frames, if it is not given.
/// @throws Error Scene; Failure Usage that names a file.
Scene sceneFromVolumes(RenderOptions& options, const Log&);

}  // namespace wisp::app
