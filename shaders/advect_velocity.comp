#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/velocity.glsl"
#include "shared/paths.glsl"
#include "shared/near_solid.glsl"
#include "shared/cubic.glsl"
#include "shared/clamping.glsl"
// Semi-Lagrangian: u'(x) = u(x - path) on every face (Stam 1999). First order; third away from solids with cubic interpolation.
// What enters through a side that is no wall moves with the surroundings: carrying the edge's own velocity inwards instead
// would feed energy in wherever an eddy crosses an open side.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(binding = 6) uniform sampler3D velocityLeast;
layout(binding = 7) uniform sampler3D velocityGreatest;
VECTORS_IN(4, back);  // displacements of trace.comp
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; float keep; };  // exp(-rate dt) of the velocity's decay

float cubicComponent(vec3 p, int axis) {
    vec3 texel = faceTexel(p, axis), t = fract(texel - 0.5);
    vec4 L = sampleLinear(velocity, texel, sim.perFace), value = L, low, high;
    [[unroll]] for (int along = 0; along < kAxes; ++along) {
        vec3 e = vec3(unit(along)), before = faceTexel(p - (1.0 + t) * e, axis), behind = faceTexel(p + (2.0 - t) * e, axis);
        value += bend(t[along], L, sampleLinear(velocity, before, sim.perFace), sampleLinear(velocity, behind, sim.perFace));
    }
    boundsAround(velocity, velocityLeast, velocityGreatest, texel, sim.perFace, sim.cells + unit(axis), low, high);
    return clamp(value, low, high)[axis];
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0);
    mat3 displacement = FACE_DISPLACEMENTS(back, facePlaces(c));
    float distance = kCubic ? centreDistance(c) - 0.5 : 0.0;  // a face is half a cell from the centre
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 from = facePoint(c, axis) + displacement[axis];
        bool cubic = kCubic && distance > kCubicReach + length(displacement[axis]);
        u[axis] = keep * (beyondOpenSide(from) ? sim.inflow[axis]
                          : cubic ? cubicComponent(from, axis) : velocityComponent(velocity, from, axis));
    }
    imageStore(velocityOut, c, velocityToStorage(u.xyz));
}
