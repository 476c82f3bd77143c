// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/quality_level.h"
#include "wisp/simulation.h"

#include <string>

namespace wisp::app {

/// A scene as the user edits it: plain data.
struct Document {
    Settings settings;
    glm::uvec3 ownCells{0};                       ///< cells of the scene without a quality level
    QualityLevel level = QualityLevel::Standard;  ///< of the cells of `settings`
};
/// Reads it from a scene of the library. @throws SceneFailure
Document documentOf(const Scene& scene);
/// The scene of the library with these settings. @throws Error Scene
Scene sceneOf(const Settings& settings);

/// The level with this name, see nameOf.
QualityLevel levelNamed(const std::string& name);

/// What a simulation in a window does: it is timed and drawn, and obstacles can be dragged, and added to any scene.
SimulationOptions interactiveOptions();
/// Memory that it takes [bytes]. @throws Error Scene or OutOfMemory if the scene cannot run on the device.
std::uint64_t interactiveMemory(const Device& device, const Scene& scene);

}  // namespace wisp::app
