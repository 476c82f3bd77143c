#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
#include "shared/clamping.glsl"
#include "shared/near_solid.glsl"
// MacCormack (Selle et al. 2008): forward + (u - back(forward)) / 2, within the bounds of the departure point's texels.
// Semi-Lagrangian next to solids and where a path leaves the box. Second order.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform sampler3D forward;   // advect_velocity's result
layout(binding = 4) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float keep; int clamped; };

float corrected(ivec3 c, int axis) {
    float value = texelFetch(forward, c, 0)[axis];
    vec3 p = facePoint(c, axis);
    vec3 from = trace(velocity, p, -1.0), to = trace(velocity, p, 1.0);
    vec3 size = vec3(sim.cells);
    if (any(lessThan(min(from, to), vec3(0.0))) || any(greaterThan(max(from, to), size))) return value;
    if (nearSolid(p) || nearSolid(from) || nearSolid(to)) return value;
    float error = 0.5 * (texelFetch(velocity, c, 0)[axis] - velocityComponent(forward, to, axis));
    if (clamped == 0) return value + error;
    vec4 low, high;
    bounds(velocity, faceTexel(from, axis), low, high);
    return clamp(value + error, low[axis], high[axis]);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        if (faceExists(c, axis)) u[axis] = keep * corrected(c, axis);
    }
    imageStore(velocityOut, c, u);
}
