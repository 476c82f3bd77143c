// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "app/base/log.h"
#include "app/run/quality_choice.h"
#include "app/run/start.h"
#include "files/scene/scene.h"

#include <vector>

/// The functions of app/run/quality_probe.h for rooms of the program that do not use the interface of the library yet.
namespace wisp::app {

std::vector<LevelCells> levelsThatFit(engine::Device& device, const LoadedScene& scene, const Needs& needs);
QualityLevel chooseQuality(engine::Device& device, const LoadedScene& scene, const Needs& needs, const Log& log);
/// Sets the start of a run to this level if the options ask for automatic quality. A resumed run keeps the cells of the checkpoint.
void settleQuality(const CommonOptions& options, Start& start, engine::Device& device, const Needs& needs, const Log& log);

}  // namespace wisp::app
