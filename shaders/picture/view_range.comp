#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/velocity_anywhere.glsl"
#include "shared/reduce.glsl"
#include "shared/field_view.h"
// Sums over the cells of a view: |v|, v^2, |u|, u^2; maxima of |v| and |u|. v is the value of a field that can be negative, else the part
// of the value above `base`. In a sparse simulation a thread takes several cells.
layout(binding = 1) uniform sampler3D values;
layout(binding = 2) uniform sampler3D centre;  // [m/s]
layout(push_constant, scalar) uniform Push { RangePush push; };

float valueOf(ivec3 c) {
    float v = texelFetch(values, c, 0).x;
    return push.isSigned == 1 ? abs(v) : max(v - push.base, 0.0);
}
float speedOf(ivec3 c) { return length(centreOf(centre, c / (push.cells.x / sim.cells.x))); }

void add(inout float v[8], ivec3 c) {
    float value = valueOf(c), speed = speedOf(c);
    v[0] += value;
    v[1] += value * value;
    v[2] += speed;
    v[3] += speed * speed;
    v[6] = max(v[6], value);
    v[7] = max(v[7], speed);
}

void main() {
    ivec3 c = linearCell(push.cells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (kSparse) {
        ivec3 way = numberedCell(nextValue(), push.cells);
        for (; c.z < push.cells.z; c = cellAfter(c, way, push.cells)) add(v, c);
    } else if (!outside(c, push.cells)) {
        float value = valueOf(c), speed = speedOf(c);
        v[0] = v[6] = value;
        v[1] = value * value;
        v[2] = v[7] = speed;
        v[3] = speed * speed;
    }
    reduceGroup(v);
}
