// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <functional>
#include <vector>

namespace wisp::app {

/// An input event with its cursor position. Every event is queued: on a slow machine many occur between two frames, and a click counts at
/// the position where it was made.
struct InputEvent {
    enum class Kind { Press, Release, Move, Wheel, Key };
    Kind kind = Kind::Move;
    glm::vec2 at{0.0f};  ///< [screen coordinates of the window], y down
    int code = 0;        ///< mouse button, or GLFW's key
    bool shift = false, ctrl = false;
    float wheel = 0.0f;  ///< notches, positive away from the user
};

/// Events since the last frame, and the current state of the input devices.
struct Input {
    std::vector<InputEvent> events;     ///< oldest first
    glm::vec2 mouse{0.0f}, size{1.0f};  ///< [screen coordinates] mouse in the window; size of the image
    glm::vec2 corner{0.0f};             ///< [screen coordinates] position of the image in the window
    std::function<bool(int key)> isDown = [](int) { return false; };
    std::function<bool(glm::vec2)> isPanel = [](glm::vec2) { return false; };  ///< whether a panel at this position receives the input
    glm::vec2 stick{0.0f}, turn{0.0f};  ///< left and right stick of a gamepad; x right, y back; -1 to 1
    double elapsed = 0.0;               ///< [s] since the last frame
};

}  // namespace wisp::app
