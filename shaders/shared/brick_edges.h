// SPDX-License-Identifier: MIT
// Edges of active bricks as lines in a picture. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_BRICK_EDGES_H
#define WISP_SHADERS_SHARED_BRICK_EDGES_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
using vec3 = glm::vec3;
#endif

#define WISP_FULL_COVER 255u  // the word of a pixel that a line covers

struct BrickLines {
    float width;    // [pixels]
    float nearest;  // distance along the view axis at which lines begin [m], > 0
};

struct BrickBlend {
    vec3 colour;    // radiance of lines [W/(m^2 sr)]
    float opacity;  // of a pixel that a line covers
};

#ifdef __cplusplus
WISP_MEMBERS(BrickLines, width, nearest)
WISP_MEMBERS(BrickBlend, colour, opacity)
}  // namespace wisp::gpu
#endif
#endif
