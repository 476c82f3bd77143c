// SPDX-License-Identifier: MIT
// Data that the passes of a field view share with C++. Pixel (0, 0) is the top left one; its centre is at (0.5, 0.5).
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
using ivec3 = glm::ivec3;
using vec3 = glm::vec3;
#endif

#define WISP_ARROW_LENGTH 0.8f
// These fields have one value per scalar cell, the others one per fine cell.
#define WISP_VIEW_ON_SCALAR_CELLS(field)                                                                                   \
    ((field) == WISP_VIEW_DENSITY || (field) == WISP_VIEW_TEMPERATURE || (field) == WISP_VIEW_FUEL || (field) == WISP_VIEW_FLAME)

struct ViewLimits {
    float low;      // value of the first colour
    float high;     // value of the last colour
    float speed;    // speed of an arrow whose length is WISP_ARROW_LENGTH times the spacing [m/s]
    float largest;  // largest |value| of all cells; of absolute temperatures, the largest value, at least ambient
};

struct FieldPush {
    int field;
    float base;      // value where nothing is, added to that of a cell: the ambient temperature [K] of absolute temperatures, else 0
    float ignition;  // [K] above ambient
};

struct RangePush {
    ivec3 cells;
    int isSigned;
    float base;  // as in FieldPush
};

struct LimitsPush {
    int isSigned;    // makes the limits symmetric: low = -high
    float base;      // as in FieldPush; low, if the field is not signed
    int fixedRange;  // keeps low and high
};

struct SlicePush {
    vec3 corner;  // position at pixel coordinate (0, 0) [m]
    vec3 right;   // offset to the next pixel of a row [m]
    vec3 down;    // offset to the next row [m]
    ivec2 pixels;
    vec2 low;       // top left corner of the plot, where the lattice of arrows begins [pixels]
    float spacing;  // of arrows [pixels]; 0: no arrows
    float pen;      // half the width of their lines [pixels]
    float ink;      // grey value of their lines; their outline has 1 - ink
};

struct VolumePush {
    int isSigned;
    float stepLength;  // [m]
    float opacity;     // extinction of the largest value [1/m]
};

#ifdef __cplusplus
WISP_MEMBERS(ViewLimits, low, high, speed, largest)
WISP_MEMBERS(FieldPush, field, base, ignition)
WISP_MEMBERS(RangePush, cells, isSigned, base)
WISP_MEMBERS(LimitsPush, isSigned, base, fixedRange)
WISP_MEMBERS(SlicePush, corner, right, down, pixels, low, spacing, pen, ink)
WISP_MEMBERS(VolumePush, isSigned, stepLength, opacity)
}  // namespace wisp::gpu
#endif
#endif
