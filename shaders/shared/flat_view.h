// SPDX-License-Identifier: MIT
// Push constants of the image of a flat grid. Row 0 is the top.
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
    vec2 corner;  // position of the top left corner of the image [m]
    float pixel;  // edge of a pixel [m]
    ivec2 pixels;
    float depth;   // optical depth of density 1
    float relief;  // slope of the surface per change of opacity, 1 - exp(-tau), over one metre
    vec3 light;    // on the dye, from all lights: irradiance over 4 pi [W/(m^2 sr)]
    vec3 towards;  // unit vector to where most of the light comes from
    vec3 albedo;
    vec3 background;  // [W/(m^2 sr)]
};

// Arrows of a prescribed velocity over the image.
struct ArrowsPush {
    vec2 corner;  // as in FlatPush
    float pixel;
    ivec2 pixels;
    vec2 low;      // top left corner of the box, where the lattice of arrows begins [pixels]
    vec2 spacing;  // of arrows [pixels]
    float reach;   // length of an arrow of 1 m/s [pixels]
    float pen;     // half the width of their lines [pixels]
    float ink;     // radiance of their lines [W/(m^2 sr)]
    float rim;     // radiance of their outline
};

#ifdef __cplusplus
WISP_MEMBERS(FlatPush, corner, pixel, pixels, depth, relief, light, towards, albedo, background)
WISP_MEMBERS(ArrowsPush, corner, pixel, pixels, low, spacing, reach, pen, ink, rim)
}  // namespace wisp::gpu
#endif
#endif
