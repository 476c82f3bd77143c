// SPDX-License-Identifier: MIT
// Samples the face velocity [m/s] at a particle with the kernel of the transfer. Needs shared/grid.glsl, shared/liquid/liquid.glsl.
#include "shared/velocity.glsl"

// First face below p along each axis that the kernel touches, as a texel of component `axis`. offset: from this face to p [cells].
ivec3 firstFace(vec3 p, int axis, out vec3 offset) {
    vec3 t = amongCells(p);
    t[axis] = 0.5 + p[axis];
    t -= 0.5;
    vec3 first = floor(kQuadratic ? t - 0.5 : t);
    offset = t - first;
    return ivec3(first);
}
ivec3 lastFace(int axis) { return sim.cells - 1 + unit(axis); }

float componentAt(sampler3D field, vec3 p, int axis) {
    if (!kQuadratic) return velocityComponent(field, p, axis);
    vec3 offset;
    ivec3 first = firstFace(p, axis, offset);
    float sum = 0.0;
    for (int n = 0; n < noUnroll(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9);
        vec3 w = kernel(offset - vec3(o));
        sum += w.x * w.y * w.z * texelFetch(field, clamp(first + o, ivec3(0), lastFace(axis)), 0)[axis];
    }
    return sum;
}

vec3 velocityAt(sampler3D field, vec3 p) { return vec3(componentAt(field, p, 0), componentAt(field, p, 1), componentAt(field, p, 2)); }

// Derivative of the kernel along an axis.
float slope(float d) {
    float a = abs(d);
    if (!kQuadratic) return a < 1.0 ? -sign(d) : 0.0;
    return a < 0.5 ? -2.0 * d : a < 1.5 ? -sign(d) * (1.5 - a) : 0.0;
}

// Gradient of a component [1/s]: sum_f u_f grad w_f.
vec3 gradientAt(sampler3D field, vec3 p, int axis) {
    vec3 offset, sum = vec3(0.0);
    ivec3 first = firstFace(p, axis, offset);
    int edge = kQuadratic ? 3 : 2;
    for (int n = 0; n < noUnroll(edge * edge * edge); ++n) {
        ivec3 o = ivec3(n % edge, (n / edge) % edge, n / (edge * edge));
        vec3 d = offset - vec3(o), w = kernel(d), s = vec3(slope(d.x), slope(d.y), slope(d.z));
        float u = texelFetch(field, clamp(first + o, ivec3(0), lastFace(axis)), 0)[axis];
        sum += u * vec3(s.x * w.y * w.z, w.x * s.y * w.z, w.x * w.y * s.z);
    }
    return sum / sim.h;
}
