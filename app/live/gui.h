// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/input.h"
#include "app/live/window.h"

#include <string>

namespace wisp::app {

/// Dear ImGui with its GLFW half: one context, which is the current one while this lives.
class Gui {
public:
    /// Text `scale` times as large as suits the monitor; panels where `layout()` said.
    Gui(const Window& window, float scale, const std::string& layout);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void setScale(float scale);
    [[nodiscard]] std::string layout() const;
    /// Begins the panels of a picture.
    void begin();
    [[nodiscard]] bool typing() const;                ///< keys belong to a field of a panel
    [[nodiscard]] bool isPanel(glm::vec2 at) const;   ///< a panel lies there, and takes what the mouse does

private:
    float scale_;  // of the font as it was made
};

/// What has happened in the window since it was asked last, and what is held down now; `elapsed` [s] since then.
Input takeInput(Window& window, const Gui& gui, double elapsed);

}  // namespace wisp::app
