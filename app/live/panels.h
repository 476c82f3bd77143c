// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/brush.h"
#include "app/live/dock.h"
#include "app/live/scene_list.h"
#include "app/live/scene_panel.h"
#include "app/run/fixed_step.h"
#include "compute/scene/settings.h"
#include "files/scene/scene.h"
#include "wisp/quality.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wisp::app {

/// State of the panels, and the user commands. Live executes and resets the commands.
struct PanelState {
    bool paused = false, panels = true, help = false, profiler = false, vsync = true, outlines = true;
    bool offerDeclined = false;  ///< the offer of the draft level
    Dock dock;                   ///< of the main panel
    float panelScale = 1.0f;     ///< UI scale, relative to the default of the monitor
    float pictureScale = 1.0f;   ///< render scale: pixels of the image / pixels of the window, along an edge
    // Commands, valid for one frame:
    bool step = false, restart = false, frameAll = false, home = false, screenshot = false, record = false, save = false, keep = false,
         reload = false, undo = false, redo = false, clear = false;
    std::optional<ViewField> view;                ///< field to show; the current field: back to smoke
    std::string openScene;                        ///< empty: none
    QualityLevel level = QualityLevel::Standard;  ///< of the grid
    // Displayed values:
    double time = 0.0;          ///< of the simulation [s]
    glm::vec3 boxOffset{0.0f};  ///< displacement of the box by its target [m]
    bool recording = false;
    double stepMs = 0.0;              ///< GPU time of a step
    double advectionMs = 0.0;         ///< of it, advection of smoke
    std::optional<Quality> measured;  ///< last measurement
    std::string device, memory, scene, message;
    std::vector<std::string> warnings;  ///< of the scene, as `wisp check` prints them
    std::span<const SceneEntry> scenes;
};

/// Draws all open panels into the current ImGui frame.
void drawPanels(PanelState& state, Settings& settings, FixedStep& clock, BrushSettings& brush, ScenePanel& scene);

/// A line of the list of keys and mouse actions, in F1 and in the manual.
struct Control {
    const char* keys;
    const char* does;
};
const std::vector<Control>& controls();

}  // namespace wisp::app
