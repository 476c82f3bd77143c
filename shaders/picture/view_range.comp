#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/reduce.glsl"
// Sums over the cells of a view: |v|, v^2, |u|, u^2; maxima of |v| and |u|.
layout(binding = 1) uniform sampler3D values;
layout(binding = 2) uniform sampler3D centre;  // [m/s]
layout(push_constant, scalar) uniform Push { ivec3 cells; };

void main() {
    ivec3 c = linearCell(cells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (!outside(c, cells)) {
        float value = abs(texelFetch(values, c, 0).x), speed = length(texelFetch(centre, c / (cells.x / sim.cells.x), 0).xyz);
        v[0] = v[6] = value;
        v[1] = value * value;
        v[2] = v[7] = speed;
        v[3] = speed * speed;
    }
    reduceGroup(v);
}
