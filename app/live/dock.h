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

/// Where the main panel is: at a side of the window, as high as that, or wherever its title was dragged. Dragged to a side it stays there.
class Dock {
public:
    PanelSide side = PanelSide::Right;

    /// In place of ImGui::Begin, to be followed by ImGui::End.
    bool begin(const char* name);
    /// The part of the window that the panel leaves free in this picture; all of it where the panel floats or was not drawn.
    [[nodiscard]] Area free() const;

private:
    bool drag(const char* name);
    float width_ = 0.0f;  // that it covers
    int drawn_ = -1;      // picture in which it was drawn last
    bool moving_ = false;
};

/// All of the window.
Area wholeWindow();

/// Moves panels that lie outside of the window into it, and makes those smaller that are larger than it: the window may have shrunk. After
/// ImGui::NewFrame.
void keepPanelsInside();

}  // namespace wisp::app
