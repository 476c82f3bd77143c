// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/quality.h"

#include <optional>

namespace wisp::app {

/// Panel section for a scene with liquid: amount, losses and display mode. `measured` is the last measurement.
void drawLiquid(const std::optional<Quality>& measured, Settings& settings);
/// Settings of a brush that paints liquid, except the radius.
void drawLiquidBrush(BrushSettings& brush);

}  // namespace wisp::app
