// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"

namespace wisp::app {

/// Simulates into the cache `options.cache`, or goes on where an earlier call has stopped. @throws Failure, Error.
void simulateToCache(const RenderOptions& options, const Log& log);

/// Renders frames of the cache `options.cache` that have no files yet, each from the nearest checkpoint. @throws Failure, Error.
void renderFromCache(const RenderOptions& options, const Log& log);

}  // namespace wisp::app
