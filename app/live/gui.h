// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/dock.h"
#include "app/live/input.h"
#include "app/live/scene_list.h"
#include "app/live/window.h"

#include <span>
#include <string>
#include <vector>

namespace wisp::app {

/// Dear ImGui with its GLFW backend. Owns the current ImGui context.
class Gui {
public:
    /// @param layout panel positions, as layout() returned them
    /// @param scenes their thumbnails are stored in the font atlas
    Gui(const Window& window, const std::string& layout, std::vector<SceneEntry> scenes);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    [[nodiscard]] std::span<const SceneEntry> scenes() const { return scenes_; }
    [[nodiscard]] std::string layout() const;
    /// Begins the ImGui frame; `scale` is the text size relative to the default of the monitor. Returns true if the size has changed and
    /// the font atlas was rebuilt.
    bool begin(float scale);
    /// Closes open drop-down lists; returns whether any was open.
    static bool closeLists();
    [[nodiscard]] bool typing() const;               ///< a text field of a panel has the keyboard focus
    [[nodiscard]] bool isPanel(glm::vec2 at) const;  ///< a panel at this position receives the mouse input

private:
    void setScale(float scale);
    const Window& window_;
    std::vector<SceneEntry> scenes_;
    float scale_ = 0.0f;
};

/// Input since the last call, `elapsed` [s] ago, and the keys that are down now. The image fills the `area`.
Input takeInput(Window& window, const Gui& gui, const Area& area, double elapsed);

}  // namespace wisp::app
