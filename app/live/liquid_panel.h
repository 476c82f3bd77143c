// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/quality.h"

#include <optional>

namespace wisp::app {

/// A section of the panel, in a scene with liquid: how much there is, what of it has gone, and how it is shown. `measured`: last.
void drawLiquid(const std::optional<Quality>& measured, Settings& settings);
/// What there is to choose of a brush that paints liquid, below its radius.
void drawLiquidBrush(BrushSettings& brush);

}  // namespace wisp::app
