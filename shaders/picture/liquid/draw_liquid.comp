#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/liquid/liquid_splats.h"
#include "shared/splats.glsl"
// Draws the particles of a liquid as points whose colour shows their speed.
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 6, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(push_constant, scalar) uniform Push { LiquidSplats push; };

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= cellFirst[cellTotal()]) return;
    vec3 at = projectToImage(worldPoint(positions[n].xyz));
    if (!isInPicture(at, push.radius)) return;
    putDisc(at, push.radius, uint(clamp(push.perSpeed * length(velocities[n].xyz), 0.0, float(WISP_SPLAT_COLOURS - 1u))));
}
