// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/checkpoint.h"
#include "app/run/memory_plan.h"
#include "app/run/quality_choice.h"

#include <vector>

namespace wisp::app {

/// Levels that a scene, loaded at Standard, can run at on this device: their grids are sound, and there is memory for them. The coarsest
/// first.
std::vector<LevelCells> levelsThatFit(engine::Device& device, const LoadedScene& scene, const Needs& needs);

/// The level of `--quality auto` for a scene that was loaded at Standard: runs it for a moment on the device, and says in a line what it
/// chose. Takes well below a second, but for the compiling of shaders, which the run needs too and which is kept for it.
QualityLevel chooseQuality(engine::Device& device, const LoadedScene& scene, const Needs& needs, const Log& log);
/// Brings the start of a run to that level, if its options want that; a checkpoint keeps its cells.
void settleQuality(const CommonOptions& options, Start& start, engine::Device& device, const Needs& needs, const Log& log);

}  // namespace wisp::app
