// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "app/base/log.h"
#include "app/run/quality_choice.h"
#include "app/run/start.h"

#include <vector>

namespace wisp::app {

/// Levels at which a scene, loaded at Standard, can run on this device: the grid is valid and fits into memory. The coarsest first.
std::vector<LevelCells> levelsThatFit(engine::Device& device, const LoadedScene& scene, const Needs& needs);

/// The level of `--quality auto` for a scene that was loaded at Standard. Runs the scene briefly on the device and logs the choice in one
/// line. Takes well below 1 s plus the compilation of shaders. The run reuses the compiled shaders.
QualityLevel chooseQuality(engine::Device& device, const LoadedScene& scene, const Needs& needs, const Log& log);
/// Sets the start of a run to this level if the options ask for automatic quality. A resumed run keeps the cells of the checkpoint.
void settleQuality(const CommonOptions& options, Start& start, engine::Device& device, const Needs& needs, const Log& log);

}  // namespace wisp::app
