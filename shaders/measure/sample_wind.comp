#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/velocity_anywhere.glsl"
#define WISP_WIND_SAMPLE(faces, texel, perTexel) \
    (kSparse ? facesAnywhere(faces, texel, false) : textureLod(faces, (texel) * (perTexel), 0.0))
#include "wisp/wind.glsl"
// Velocity [m/s] at a list of positions [m], written over them, as another program's shader would do. Another program cannot read the slots
// of a sparse simulation.
layout(local_size_x = 64) in;
layout(binding = 1) uniform sampler3D faces;
layout(binding = 2, scalar) buffer Points { vec3 points[]; };
layout(push_constant, scalar) uniform Push {
    WispWind wind;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) points[i] = wispWindAt(faces, wind, points[i]);
}
