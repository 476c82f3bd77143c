#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/shape_push.h"
// Density (x) and temperature (y) at t = 0: constant inside a shape, a Gaussian exp(-|x - centre|^2 / (2 radius^2)), or
// Zalesak's disc: a cylinder along z with a slot of width radius / 3 open towards -y. Nothing in solid cells.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform sampler3D openness;
layout(push_constant, scalar) uniform Push { ShapePush push; };

float amount(vec3 x) {
    vec3 d = fromImage(x - push.shape.centre, 0);
    float r = push.shape.radius;
    if (push.field == WISP_FIELD_GAUSSIAN) return exp(-dot(d, d) / (2.0 * r * r));
    if (push.field == WISP_FIELD_ZALESAK) {
        bool slot = abs(d.x) < r / 6.0 && d.y < 2.0 / 3.0 * r;
        return length(d.xy) <= r && !slot ? 1.0 : 0.0;
    }
    return signedDistance(push.shape, x) <= 0.0 ? 1.0 : 0.0;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells) || push.field == WISP_FIELD_TAYLOR_GREEN) return;
    if (texelFetch(openness, c / sim.scalarRatio, 0).w == 0.0) return;
    float a = amount(worldPoint((vec3(c) + 0.5) / float(sim.scalarRatio)));
    vec4 s = texelFetch(scalarsIn, c, 0);
    imageStore(scalarsOut, c, mix(s, vec4(push.density, push.temperature, 0.0, 0.0), a));
}
