#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/shapes.glsl"
#include "shared/noise.glsl"
#include "shared/shape_push.h"
// Sets the emitter's velocity on the faces inside it. The edge is one cell wide. Turbulence is frozen noise that moves with the emitter's
// own velocity (Taylor's hypothesis).
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { JetPush push; };

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.cells + 1) || !isStored(c)) return;
    vec4 u = texelFetch(velocityIn, texelOf(c), 0);
    for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 x = worldPoint(facePoint(c, axis));
        float inside = clamp(0.5 - layerDistance(push.shape, push.shell, x) / sim.h, 0.0, 1.0);
        if (inside == 0.0) continue;
        vec3 image = push.shape.centre + fromImage(x - push.shape.centre, 0);  // avoids a jump at a periodic side
        float v = push.velocity[axis] + push.inherit * deformation(push.shape, image - push.shape.centre)[axis];
        if (push.turbulence > 0.0) {
            vec3 at = image / push.turbulenceScale - push.carried;
            v += push.turbulence * length(push.velocity) * smoothNoise(at, -push.carriedCells, push.seed)[axis];
        }
        u[axis] = mix(u[axis], v, inside);
    }
    imageStore(velocityOut, texelOf(c), velocityToStorage(u.xyz));
}
