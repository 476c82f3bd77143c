// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "wisp/scene.h"

namespace wisp::app {

/// Simulates into the cache `options.cache`, or goes on where an earlier call has stopped. @throws Failure, Error.
void simulateToCache(const RenderOptions& options, const Log& log);

/// Renders frames of the cache `options.cache` that have no files yet, each from the nearest checkpoint. @throws Failure, Error.
void renderFromCache(const RenderOptions& options, const Log& log);
/// The scene that it renders. @throws Failure Usage if the scene needs another simulation than that of the cache; Error.
Scene sceneFromCache(const RenderOptions& options);

}  // namespace wisp::app
