// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/quality_choice.h"
#include "wisp/device.h"
#include "wisp/scene.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wisp::app {

/// Device memory that a run of a scene takes [bytes]. @throws Error Scene or OutOfMemory if the scene cannot run on the device.
using MemoryOfRun = std::function<std::uint64_t(const Scene& scene)>;

/// Levels at which a scene can run on this device: the grid is valid and fits into memory. The coarsest first.
std::vector<LevelCells> levelsThatFit(const Device& device, const Scene& scene, const MemoryOfRun& memory);

/// The level of `--quality auto` for real time: a name for Scene::setQuality. Runs the scene briefly on the device, as the window does, and
/// logs the choice in one line. Takes well below 1 s plus the compilation of shaders, which the run reuses; on a device that is far too
/// slow for the coarsest level, a few of its steps and small pictures.
std::string chooseQuality(const Device& device, const Scene& scene, const MemoryOfRun& memory, const Log& log);

struct FilmPlan {
    std::string level;  ///< a name for Scene::setQuality
    FilmFit fit;
};

/// The same for a film: the finest level up to standard at which it is predicted to stay below its limit. If it shrinks, its size and
/// length are those with which it does at the coarsest level. A film that is short on any CPU, does not shrink and did not ask for a level
/// gets standard without measurement and without a line.
FilmPlan planFilm(const Device& device, const Scene& scene, const MemoryOfRun& memory, const FilmWork& film, const Log& log);

}  // namespace wisp::app
