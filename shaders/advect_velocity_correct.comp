#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
#include "shared/paths.glsl"
#include "shared/clamping.glsl"
#include "shared/solids.glsl"
#include "shared/near_solid.glsl"
// MacCormack (Selle et al. 2008): forward + (u - back(forward)) / 2, within the bounds of the departure point's texels.
// Semi-Lagrangian next to solids and where a path leaves the box. Second order.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform sampler3D back;      // displacements of trace.comp
layout(binding = 4) uniform sampler3D ahead;
layout(binding = 5) uniform sampler3D forward;   // advect_velocity's result
layout(binding = 6) uniform writeonly image3D velocityOut;
layout(binding = 7) uniform sampler3D velocityLeast;
layout(binding = 8) uniform sampler3D velocityGreatest;
layout(push_constant, scalar) uniform Push { float keep; int clamped; };

// Bounds around the last departure point looked at: the three faces of a cell mostly share it.
struct Bounds {
    ivec3 base;
    vec4 low, high;
};

float corrected(vec3 p, vec3 from, vec3 to, float distance, int axis, float value, float before, inout Bounds b) {
    if (!insideBox(from) || !insideBox(to)) return value;
    if (nearSolid(distance, p, from, to)) return value;
    value += 0.5 * (before - velocityComponent(forward, to, axis));
    if (clamped == 0) return value;
    // Tangentially the last texels hold no faces of this axis, unless it repeats itself: their 0 is no bound.
    ivec3 last = mix(sim.cells - 2 + unit(axis), sim.cells - 1, periodicAxes());
    ivec3 base = min(ivec3(floor(faceTexel(from, axis) - 0.5)), last);
    if (base != b.base) {
        if (kReductions && !kExactFilter) {
            vec3 t = faceTexel(from, axis) * sim.perFace;
            b.low = textureLod(velocityLeast, t, 0.0);
            b.high = textureLod(velocityGreatest, t, 0.0);
        } else {
            bounds(velocity, base, sim.cells, b.low, b.high);
        }
        b.base = base;
    }
    return clamp(value, b.low[axis], b.high[axis]);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0), value = texelFetch(forward, c, 0), before = texelFetch(velocity, c, 0);
    float distance = centreDistance(c) - 0.5;  // a face is half a cell from the centre
    mat3 from = faceDisplacements(back, c), to = faceDisplacements(ahead, c);
    Bounds b;
    b.base = ivec3(-100);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 p = facePoint(c, axis);
        u[axis] = keep * corrected(p, p + from[axis], p + to[axis], distance, axis, value[axis], before[axis], b);
    }
    imageStore(velocityOut, c, u);
}
