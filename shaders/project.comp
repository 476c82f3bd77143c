#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// Adds the coarse correction to the fine velocity, so that fine detail survives (Lentine, Zheng, Fedkiw 2010, eq. 14), or
// the share `keep` of it: the rest relaxes to the coarse velocity, a part of which is in the correction. On a coarse face the
// correction varies linearly, with slopes by central differences between wholly open faces, so that its mean is kept and the
// result is second order; between two coarse faces it is interpolated.
// Around solids the fine velocity is the coarse one instead: on a coarse face that is partly closed nothing would hold the
// detail of its slivers in check. Closed faces are left to solid_faces.comp.
layout(binding = 1) uniform sampler3D correction;  // [m/s], on coarse faces, see pressure_gradient.comp
layout(binding = 2) uniform sampler3D openness;
layout(binding = 3) uniform sampler3D velocityIn;  // [m/s], on fine faces
layout(binding = 4) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float keep; };  // exp(-rate dt) of the detail's decay

// A coarse texel and its neighbours along each axis.
struct Coarse {
    ivec3 C;
    vec4 here, below[3], above[3];
};

bool whollyOpen(vec4 coarse, int axis) { return (int(coarse.w) & (1 << axis)) != 0; }

// The value on the low face of `k` at a tangential offset from its centre, in coarse cells.
float onCoarseFace(Coarse k, int axis, vec3 offset) {
    float value = k.here[axis];
    if (!whollyOpen(k.here, axis)) return value;
    [[unroll]] for (int n = 1; n < 3; ++n) {
        int t = (axis + n) % 3;
        if (k.C[t] == 0 || k.C[t] + 1 >= sim.pressureCells[t]) continue;
        if (whollyOpen(k.below[t], axis) && whollyOpen(k.above[t], axis)) value += 0.5 * (k.above[t][axis] - k.below[t][axis]) * offset[t];
    }
    return value;
}

// The texel above `k` along an axis with the neighbours that its face of that axis needs.
Coarse next(Coarse k, int axis) {
    Coarse up = Coarse(k.C + unit(axis), k.above[axis], k.below, k.above);
    if (sim.ratio == 1) return up;
    [[unroll]] for (int n = 1; n < 3; ++n) {
        int t = (axis + n) % 3;
        up.below[t] = texelFetch(correction, max(up.C - unit(t), ivec3(0)), 0);
        up.above[t] = texelFetch(correction, min(up.C + unit(t), sim.pressureCells), 0);
    }
    return up;
}

// The new velocity of the fine face on the low face of `k` at the tangential place of face c.
float newOnCoarseFace(Coarse k, float value, ivec3 c, int axis) {
    if (!whollyOpen(k.here, axis)) return value;
    c[axis] = min(k.C[axis] * sim.ratio, sim.cells[axis]);
    return keep * texelFetch(velocityIn, c, 0)[axis] + value;
}

float projected(ivec3 c, Coarse k, float u, float alpha, int axis) {
    ivec3 inside = c - k.C * sim.ratio;
    vec3 offset = (vec3(inside) + 0.5) / float(sim.ratio) - 0.5;
    float low = onCoarseFace(k, axis, offset);
    if (inside[axis] == 0) return whollyOpen(k.here, axis) ? keep * u + low : low;
    Coarse up = next(k, axis);
    int extent = min(up.C[axis] * sim.ratio, sim.cells[axis]) - k.C[axis] * sim.ratio;  // the last block may be cut short
    float high = onCoarseFace(up, axis, offset), t = float(inside[axis]) / float(max(extent, 1));
    if (alpha == 1.0 && whollyOpen(k.here, axis) && whollyOpen(up.here, axis)) return keep * u + mix(low, high, t);
    return mix(newOnCoarseFace(k, low, c, axis), newOnCoarseFace(up, high, c, axis), t);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0), alpha = texelFetch(openness, c, 0);
    Coarse k;
    k.C = c / sim.ratio;
    k.here = texelFetch(correction, k.C, 0);
    [[unroll]] for (int t = 0; t < 3; ++t) {
        k.below[t] = texelFetch(correction, max(k.C - unit(t), ivec3(0)), 0);
        k.above[t] = texelFetch(correction, min(k.C + unit(t), sim.pressureCells), 0);
    }
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis)) u[axis] = 0.0;
        else if (alpha[axis] > 0.0) u[axis] = projected(c, k, u[axis], alpha[axis], axis);
    }
    imageStore(velocityOut, c, u);
}
