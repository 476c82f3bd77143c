// SPDX-License-Identifier: MIT
// Rays through a liquid, whose surface is where its distance volume is 0. Needs shared/volume.glsl, shared/occupancy.glsl.
#include "shared/liquid/liquid_picture.h"
layout(binding = 3) uniform sampler3D distances;  // [fine cells], negative inside
layout(binding = 12) uniform sampler3D bricks;    // smallest and largest distance of each brick, see liquid_bricks.comp
layout(binding = 16) uniform sampler3D normals;   // gradients of the distances
layout(push_constant, scalar) uniform Push { LiquidOptics push; };
const int kMostSteps = 1024;

float phiAt(vec3 x) { return textureLod(distances, unitPoint(x), 0.0).x * sim.h; }
vec3 normalAt(vec3 x) { return normalize(textureLod(normals, unitPoint(x), 0.0).xyz + vec3(0.0, 1e-6, 0.0)); }
vec2 phiRange(vec3 x) {
    return texelFetch(bricks, clamp(ivec3(floor((x - sim.origin) / brickEdge())), ivec3(0), (sim.scalarCells - 1) / WISP_BRICK), 0).xy;
}

// Divergence of the normal [1/m], over two cells: twice the mean curvature, positive where the liquid bulges.
float curvatureAt(vec3 x) {
    float sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) sum += normalAt(x + sim.h * vec3(unit(axis)))[axis] - normalAt(x - sim.h * vec3(unit(axis)))[axis];
    return sum / (2.0 * sim.h);
}

// Finds the surface along a ray between t and `end` by sphere tracing, outside the liquid (side 1) or inside (-1). On return, x + t d lies
// just before the surface and x + beyond d just behind it. Bricks without a surface are skipped.
bool meetsSurface(vec3 x, vec3 d, float side, float end, inout float t, out float beyond) {
    vec3 inverse = safeInverse(d);
    float least = 0.5 * sim.h / float(kScalarRatio), before = t, brick = t, f = 0.0;
    bool met = false;
    for (int i = 0; i < kMostSteps && t < end && !met; ++i) {
        vec3 at = x + t * d;
        if (t >= brick) {
            vec2 range = side * phiRange(at);
            brick = t + brickEnd(at, inverse);
            if (min(range.x, range.y) > 0.0) {
                before = t = brick;
                continue;
            }
        }
        f = side * phiAt(at);
        met = f < 0.0;
        if (met) break;
        before = t;
        t = min(t + max(0.9 * f, least), max(end, t + 1e-3 * least));
    }
    beyond = t;
    t = met ? before : end;
    for (int i = 0; met && i < 8; ++i) {
        float middle = 0.5 * (t + beyond);
        if (side * phiAt(x + middle * d) < 0.0) beyond = middle;
        else t = middle;
    }
    return met;
}

// Metres of liquid along a ray, by the midpoint rule. The share of a step that is inside follows from the distance.
float liquidAlong(vec3 x, vec3 d, float far) {
    vec3 inverse = safeInverse(d);
    vec2 span = boxSpan(x, inverse);
    float end = min(span.y, far), t = span.x, brick = t, sum = 0.0;
    for (int i = 0; i < kMostSteps && t < end; ++i) {
        if (t >= brick) {
            vec3 at = x + t * d;
            vec2 range = phiRange(at);
            brick = t + brickEnd(at, inverse);
            if (range.x > 0.0 || range.y < 0.0) {
                if (range.y < 0.0) sum += min(brick, end) - t;
                t = brick;
                continue;
            }
        }
        float step = min(0.75 * sim.h, min(brick, end) - t + 1e-3 * sim.h);
        sum += step * clamp(0.5 - phiAt(x + (t + 0.5 * step) * d) / step, 0.0, 1.0);
        t += step;
    }
    return sum;
}

vec3 leftAfter(float way) { return exp(-push.absorption * way); }  // Beer's law

// Share of unpolarised light that a plane between two media reflects (Fresnel). eta: index before the plane over the index behind it. 1:
// total reflection.
float fresnel(float cosine, float eta) {
    float sine2 = eta * eta * (1.0 - cosine * cosine);
    if (sine2 >= 1.0) return 1.0;
    float behind = sqrt(1.0 - sine2), s = (eta * cosine - behind) / (eta * cosine + behind),
        p = (cosine - eta * behind) / (cosine + eta * behind);
    return 0.5 * (s * s + p * p);
}
