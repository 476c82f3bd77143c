// SPDX-License-Identifier: MIT
// What the passes of a view of one field share with C++. Pixel (0, 0) is the top left one; its middle is at (.5, .5).
#ifndef WISP_SHADERS_SHARED_FIELD_VIEW_H
#define WISP_SHADERS_SHARED_FIELD_VIEW_H
#include "enums.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec2 = glm::vec2;
using ivec2 = glm::ivec2;
using vec3 = glm::vec3;
#endif

#define WISP_ARROW_LENGTH 0.8f
// These have a value a scalar cell, the others a fine cell.
#define WISP_VIEW_ON_SCALAR_CELLS(field) ((field) == WISP_VIEW_DENSITY || (field) == WISP_VIEW_TEMPERATURE)

struct ViewLimits {
    float low;      // value of the first colour
    float high;     // and of the last
    float speed;    // of an arrow WISP_ARROW_LENGTH as long as arrows are apart [m/s]
    float largest;  // |value| of all cells
};

struct LimitsPush {
    int bothSigns;   // low = -high
    int fixedRange;  // low and high stay
};

struct SlicePush {
    vec3 corner;    // what pixel coordinate (0, 0) shows [m]
    vec3 right;     // a pixel further in a row [m]
    vec3 down;      // a pixel further down
    ivec2 pixels;
    vec2 low;       // the plot's top left corner, from which arrows are counted [pixels]
    float spacing;  // of arrows [pixels]; 0: none
    float pen;      // half the width of their lines [pixels]
    float ink;      // their grey; their rim has the opposite, 1 - ink
};

struct VolumePush {
    int bothSigns;
    float stepLength;  // [m]
    float opacity;     // extinction of the largest value [1/m]
};

#ifdef __cplusplus
WISP_MEMBERS(ViewLimits, low, high, speed, largest)
WISP_MEMBERS(LimitsPush, bothSigns, fixedRange)
WISP_MEMBERS(SlicePush, corner, right, down, pixels, low, spacing, pen, ink)
WISP_MEMBERS(VolumePush, bothSigns, stepLength, opacity)
}  // namespace wisp::gpu
#endif
#endif
