// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <functional>
#include <vector>

namespace wisp::app {

/// Something that the mouse or the keyboard did, where the mouse was then. Kept one by one: on a slow machine many happen between two
/// pictures, and a click counts where it was made.
struct InputEvent {
    enum class Kind { Press, Release, Move, Wheel, Key };
    Kind kind = Kind::Move;
    glm::vec2 at{0.0f};  ///< [screen coordinates of the window], y down
    int code = 0;        ///< mouse button, or GLFW's key
    bool shift = false, ctrl = false;
    float wheel = 0.0f;  ///< notches, away from the user
};

/// What came in since the last picture, and what holds now.
struct Input {
    std::vector<InputEvent> events;     ///< oldest first
    glm::vec2 mouse{0.0f}, size{1.0f};  ///< [screen coordinates] of the mouse in the window, and of the picture in it
    glm::vec2 corner{0.0f};             ///< [screen coordinates] of the picture
    std::function<bool(int key)> isDown = [](int) { return false; };
    std::function<bool(glm::vec2)> isPanel = [](glm::vec2) { return false; };  ///< whether a panel lies there, and takes what happens
    glm::vec2 stick{0.0f}, turn{0.0f};                                         ///< of a gamepad, to the right and back, -1 to 1
    double elapsed = 0.0;                                                      ///< [s] since the last picture
};

}  // namespace wisp::app
