#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/liquid.glsl"
#include "shared/known.glsl"
// A layer more of faces gets a velocity: the mean of those known around it, of 26 by 1 / distance^2. Only of layers before this one, so
// that the order of threads makes no difference. As many layers as the fastest particle goes through cells in a step, and two.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;  // the same image
layout(binding = 3, scalar) buffer Known { uint known[]; };
layout(binding = 4, scalar) readonly buffer Speed { float speed; };  // [cells a step]
layout(push_constant, scalar) uniform Push { uint layer; };

void main() {
    ivec3 c = cell(), size = sim.cells + 1;
    if (outside(c, size) || float(layer) > ceil(speed) + 2.0) return;
    uint place = placeOf(c, size), own = known[place];
    bvec3 wanted;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) wanted[axis] = layerOf(own, axis) >= layer && faceExists(c, axis);
    if (!any(wanted)) return;
    vec3 sum = vec3(0.0), weight = vec3(0.0);
    for (int n = 0; n < rolled(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1, near = c + o;
        if (n == 13 || outside(near, size)) continue;
        vec3 u = texelFetch(velocityIn, near, 0).xyz;
        uint theirs = known[placeOf(near, size)];
        float w = 1.0 / float(dot(o, o));
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            if (layerOf(theirs, axis) >= layer) continue;
            sum[axis] += w * u[axis];
            weight[axis] += w;
        }
    }
    vec3 u = texelFetch(velocityIn, c, 0).xyz;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!wanted[axis] || weight[axis] == 0.0) continue;
        u[axis] = sum[axis] / weight[axis];
        own = own & ~layerBits(255u, axis) | layerBits(layer, axis);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
    known[place] = own;
}
