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

/// Dear ImGui with its GLFW half: one context, which is the current one while this lives.
class Gui {
public:
    /// Panels are where `layout` says: what layout() was. Textures are those of letters and of the scenes' pictures.
    Gui(const Window& window, const std::string& layout, std::vector<SceneEntry> scenes);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    [[nodiscard]] std::span<const SceneEntry> scenes() const { return scenes_; }
    [[nodiscard]] std::string layout() const;
    /// Begins the panels of a picture, with text `scale` times as large as suits the monitor. True: they are of another size than before,
    /// and have another font atlas.
    bool begin(float scale);
    /// Closes drop-down lists; returns whether there were any.
    static bool closeLists();
    [[nodiscard]] bool typing() const;               ///< keys belong to a field of a panel
    [[nodiscard]] bool isPanel(glm::vec2 at) const;  ///< a panel lies there, and takes what the mouse does

private:
    void setScale(float scale);
    const Window& window_;
    std::vector<SceneEntry> scenes_;
    float scale_ = 0.0f;
};

/// What has happened in the window since it was asked last, and what is held down now; `elapsed` [s] since then. The picture fills the
/// `area`.
Input takeInput(Window& window, const Gui& gui, const Area& area, double elapsed);

}  // namespace wisp::app
