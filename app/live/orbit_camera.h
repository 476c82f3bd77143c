// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>

namespace wisp::app {

/// A camera that turns about a target, or flies. y is up; it never looks exactly along it. With a height its picture is orthographic; it
/// then stays as it is turned.
class OrbitCamera {
public:
    explicit OrbitCamera(const CameraSettings& camera) { set(camera); }

    void set(const CameraSettings& camera);
    [[nodiscard]] CameraSettings settings() const;
    /// Shows so many times as much from the bottom of the picture to its top than the field of view says, at least 1: a narrow picture need
    /// not lose what lies at its sides.
    void widen(float factor) { widened_ = factor; }
    /// What to draw the picture with: settings(), widened.
    [[nodiscard]] CameraSettings seen() const;

    // Motions of the mouse in shares of the window's height, right and down.
    void orbit(glm::vec2 motion);  ///< half a turn a height; not an orthographic one
    void pan(glm::vec2 motion);    ///< what lies at the target's distance follows the mouse
    void dolly(float notches);     ///< towards the target, a tenth of the way a notch; or so much of the height less

    /// Flies along right, up and forward by so many metres.
    void fly(glm::vec3 way);
    void shift(glm::vec3 way) { target_ += way; }  ///< by so many metres of the world
    /// Moves back until the box [m] is whole in a picture of that aspect (width over height), with some room.
    void frame(glm::vec3 low, glm::vec3 high, float aspect);

    [[nodiscard]] glm::vec3 forward() const;
    [[nodiscard]] glm::vec3 right() const;
    [[nodiscard]] glm::vec3 up() const;
    /// Through a point of a picture of `size`, in its pixels, y down.
    [[nodiscard]] Ray rayThrough(glm::vec2 point, glm::vec2 size) const;
    /// Where a point of space is seen in a picture of `size`; none behind the camera.
    [[nodiscard]] std::optional<glm::vec2> project(glm::vec3 x, glm::vec2 size) const;
    [[nodiscard]] float distance() const { return distance_; }  ///< of the target [m]

private:
    void setPitch(float pitch);
    [[nodiscard]] float halfHeight() const;  // of the picture, over the distance; of an orthographic one [m]
    glm::vec3 target_{0.0f};
    float distance_ = 1.0f;  // [m]
    float yaw_ = 0.0f;       // [rad] of the way from the target to the eye, about y from +z towards +x
    float pitch_ = 0.0f;     // [rad] above the horizon
    float fov_ = 0.7f;
    float height_ = 0.0f;  // [m]; 0: perspective
    float widened_ = 1.0f;
};

}  // namespace wisp::app
