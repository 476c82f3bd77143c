// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/quality.h"

#include <optional>

namespace wisp::app {

/// Panel section for a sparse simulation: active and refused bricks, and whether the image shows the active ones. `measured` is the last
/// measurement.
void drawSparse(const std::optional<Quality>& measured, Settings& settings);

}  // namespace wisp::app
