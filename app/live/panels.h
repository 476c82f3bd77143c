// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/brush.h"
#include "app/live/dock.h"
#include "app/live/scene_list.h"
#include "app/live/scene_panel.h"
#include "app/run/fixed_step.h"
#include "app/scene/scene.h"
#include "compute/scene/settings.h"
#include "compute/sim/quality.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wisp::app {

/// What the panels show, and what a user has asked for in them; whoever runs the loop reads and resets the wishes.
struct PanelState {
    bool paused = false, panels = true, help = false, profiler = false, vsync = true, outlines = true;
    bool offerDeclined = false;  ///< of fewer cells
    Dock dock;                   ///< of the main panel
    float panelScale = 1.0f;     ///< of text and panels, over what suits the monitor
    float pictureScale = 1.0f;   ///< pixels of the picture over those of the window, along an edge
    // Wishes, of one picture:
    bool step = false, restart = false, frameAll = false, home = false, screenshot = false, record = false, save = false, keep = false,
         reload = false, undo = false, redo = false, clear = false;
    std::optional<ViewField> view;                ///< to be seen, or no more
    std::string openScene;                        ///< empty: none
    QualityLevel level = QualityLevel::Standard;  ///< of the grid
    // For show:
    double time = 0.0;     ///< of the simulation [s]
    glm::vec3 gone{0.0f};  ///< way of the box after its target [m]
    bool recording = false;
    double stepMs = 0.0;              ///< GPU time of a step
    double carryingMs = 0.0;          ///< of that, what carries smoke
    std::optional<Quality> measured;  ///< last
    std::string device, memory, scene, message;
    std::span<const SceneEntry> scenes;
};

/// Draws all panels that are open, into the current ImGui frame.
void drawPanels(PanelState& state, Settings& settings, FixedStep& clock, BrushSettings& brush, ScenePanel& scene);

/// Keys and mouse, as F1 and the manual list them.
struct Control {
    const char* keys;
    const char* does;
};
const std::vector<Control>& controls();

}  // namespace wisp::app
