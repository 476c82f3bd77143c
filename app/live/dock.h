// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <cstdint>

namespace wisp::app {

/// A rectangle of the window [screen coordinates], y down.
struct Area {
    glm::vec2 low{0.0f}, size{1.0f};
    bool operator==(const Area&) const = default;
};

enum class PanelSide : std::uint8_t { Right, Left, Floating };

/// Position of the main panel: docked at a side of the window with the full height, or floating where its title was dragged. A panel that
/// is dragged to a side is docked there.
class Dock {
public:
    PanelSide side = PanelSide::Right;

    /// Replaces ImGui::Begin; call ImGui::End afterwards.
    bool begin(const char* name);
    /// The part of the window beside the docked panel in this frame; the whole window if the panel floats or was not drawn.
    [[nodiscard]] Area free() const;

private:
    bool drag(const char* name);
    float width_ = 0.0f;  // of the docked panel; 0: floating
    int drawn_ = -1;      // frame in which the panel was drawn last
    bool moving_ = false;
};

/// The whole window.
Area wholeWindow();

/// Moves panels into the window and shrinks panels that are larger than the window, because the window may have shrunk. Call after
/// ImGui::NewFrame.
void keepPanelsInside();

}  // namespace wisp::app
