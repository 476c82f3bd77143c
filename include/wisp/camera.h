// SPDX-License-Identifier: MIT
#ifndef WISP_CAMERA_H
#define WISP_CAMERA_H

#include <wisp/error.h>

#include <array>

namespace wisp {

/// A perspective camera, whose axis goes through the middle of the picture. The ray through the point (x, y) of the picture, from -1 (left,
/// bottom) to 1 (right, top), has the direction forward + x * right + y * up.
struct WISP_API Camera {
    std::array<float, 3> eye{0.0f, 0.0f, 0.0f};       ///< [m]
    std::array<float, 3> forward{0.0f, 0.0f, -1.0f};  ///< unit
    std::array<float, 3> right{0.5f, 0.0f, 0.0f};     ///< half the width of the picture at distance 1; perpendicular to forward
    std::array<float, 3> up{0.0f, 0.5f, 0.0f};        ///< half its height; perpendicular to both
    /// A depth buffer of the host holds d; the distance along `forward` is depthFactor / (d + depthOffset) [m]. 0: unknown.
    float depthFactor = 0.0f;
    float depthOffset = 0.0f;  ///< see depthFactor

    /// @param eye, target [m]
    /// @param fov vertical [rad]
    /// @param aspect width over height
    /// @throws Error Argument if eye and target are the same, a number is not finite, or the angle is not between 0 and pi.
    static Camera lookAt(const std::array<float, 3>& eye, const std::array<float, 3>& target, float fov, float aspect);

    /// The camera of a host that draws with these matrices, 16 numbers each in columns: from the world to the eye, which looks along -z,
    /// and from there to Vulkan's clip space, whose y points down. With `yUp` a viewport of negative height turns y up.
    /// Depth may be reversed or without a far plane. Leave out shifts by a part of a pixel, as for temporal antialiasing. An off-axis
    /// projection is not supported: give a larger one that is symmetric, and use a part of the picture. @throws Error Argument if the view
    /// is not a rotation and a translation, or the projection is not a perspective with its centre in the middle of the picture.
    static Camera fromMatrices(const std::array<float, 16>& view, const std::array<float, 16>& projection, bool yUp = false);
};

/// A camera by the keys of a scene, for any picture: also of a flat grid and of a field.
struct SceneCamera {
    std::array<float, 3> eye{1.0f, 0.6f, 2.6f};     ///< camera.eye [m]
    std::array<float, 3> target{1.0f, 0.4f, 0.5f};  ///< camera.target [m]
    float fov = 0.6981317f;                         ///< camera.fov, but in radians: vertical angle
    float height = 0.0f;                            ///< camera.height [m]: of the picture of a flat grid; 0: all of it
};

}  // namespace wisp

#endif
