// SPDX-License-Identifier: MIT
// What the picture of a flat grid is told. Row 0 is the top.
#ifndef WISP_SHADERS_SHARED_FLAT_VIEW_H
#define WISP_SHADERS_SHARED_FLAT_VIEW_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec2 = glm::vec2;
using ivec2 = glm::ivec2;
using vec3 = glm::vec3;
#endif

struct FlatPush {
    vec2 corner;         // what the top left corner of the picture shows [m]
    float pixel;         // edge of a pixel [m]
    ivec2 pixels;
    float depth;         // optical depth of density 1
    float relief;        // slope of the surface per change of what is seen over a metre
    vec3 light;          // of dye, from all lights: irradiance over 4 pi [W/(m^2 sr)]
    vec3 towards;        // unit vector to where most of it comes from
    vec3 albedo;
    vec3 background;     // [W/(m^2 sr)]
};

// Arrows of a prescribed velocity over that.
struct ArrowsPush {
    vec2 corner;    // as above
    float pixel;
    ivec2 pixels;
    vec2 low;       // the box's top left corner, from which arrows are counted [pixels]
    vec2 spacing;   // of arrows [pixels]
    float reach;    // length of one of 1 m/s [pixels]
    float pen;      // half the width of their lines [pixels]
    float ink;      // their radiance [W/(m^2 sr)]
    float rim;      // and that of their rim
};

#ifdef __cplusplus
WISP_MEMBERS(FlatPush, corner, pixel, pixels, depth, relief, light, towards, albedo, background)
WISP_MEMBERS(ArrowsPush, corner, pixel, pixels, low, spacing, reach, pen, ink, rim)
}  // namespace wisp::gpu
#endif
#endif
