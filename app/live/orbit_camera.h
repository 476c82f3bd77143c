// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>

namespace wisp::app {

/// An orbit and fly camera. y is up, and the camera never looks exactly along y. A camera with a height is orthographic and does not orbit.
class OrbitCamera {
public:
    explicit OrbitCamera(const CameraSettings& camera) { set(camera); }

    void set(const CameraSettings& camera);
    [[nodiscard]] CameraSettings settings() const;
    /// Enlarges the visible height by this factor, at least 1, so that a narrow image still shows the full width.
    void widen(float factor) { widened_ = factor; }
    /// Camera for rendering: settings() with the factor of widen().
    [[nodiscard]] CameraSettings seen() const;

    // Mouse motions in units of the window height, to the right and down.
    void orbit(glm::vec2 motion);  ///< half a turn per window height; no effect on an orthographic camera
    void pan(glm::vec2 motion);    ///< points at the distance of the target follow the mouse
    void dolly(float notches);     ///< reduces the distance to the target (orthographic: the height) by 10 % per notch

    /// Moves the camera along right, y and forward [m].
    void fly(glm::vec3 motion);
    void shift(glm::vec3 displacement) { target_ += displacement; }  ///< in world space [m]
    /// Moves back until the whole box [m] is visible, with a margin, in an image of this aspect ratio (width / height).
    void frame(glm::vec3 low, glm::vec3 high, float aspect);

    [[nodiscard]] glm::vec3 forward() const;
    [[nodiscard]] glm::vec3 right() const;
    [[nodiscard]] glm::vec3 up() const;
    /// Ray through a point [pixels, y down] of an image of `size`.
    [[nodiscard]] Ray rayThrough(glm::vec2 point, glm::vec2 size) const;
    /// Pixel of a point in space, in an image of `size`; empty behind the camera.
    [[nodiscard]] std::optional<glm::vec2> project(glm::vec3 x, glm::vec2 size) const;
    [[nodiscard]] float distance() const { return distance_; }  ///< to the target [m]

private:
    void setPitch(float pitch);
    [[nodiscard]] float halfHeight() const;  // of the visible height, divided by the distance; orthographic: [m]
    glm::vec3 target_{0.0f};
    float distance_ = 1.0f;  // [m]
    float yaw_ = 0.0f;       // [rad] of the direction from the target to the eye, about y from +z towards +x
    float pitch_ = 0.0f;     // [rad] above the horizon
    float fov_ = 0.7f;
    float height_ = 0.0f;  // [m]; 0: perspective
    float widened_ = 1.0f;
};

}  // namespace wisp::app
