// SPDX-License-Identifier: MIT
// What there is to see: a torus knot over a floor, and the scene of the smoke around it. Both have the same light.
#pragma once

#include <wisp/scene.h>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Vertex {
    glm::vec3 position{0.0f}, normal{0.0f};
    glm::vec4 colour{0.0f};  ///< a: 1 for the floor
};

struct Mesh {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
};

/// As in world.glsl.
struct World {
    static constexpr std::size_t kCapsules = 16, kLights = 2;  ///< wisp allows 16 obstacles
    struct Light {
        glm::vec4 towards, irradiance;
    };
    std::array<glm::vec4, kCapsules> capsuleFrom, capsuleTo;
    std::array<Light, kLights> lights;
    glm::vec4 skyMean, skySlope;
    glm::vec4 boxLow, boxSize;
};

World makeWorld();
Mesh makeMesh();
/// Smoke that rises through the knot, whose capsules are its obstacles.
wisp::Scene makeScene(const World& world);

/// The matrices with which the host draws. Depth is reversed: near / distance, without a far plane.
struct Matrices {
    glm::mat4 view, projection;
};
/// A camera that circles around the knot. @param time [s]
Matrices orbit(double time, float aspect);
