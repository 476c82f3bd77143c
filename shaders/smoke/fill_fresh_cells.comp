#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/sampling.glsl"
// Fresh-cell fill: a cell that an obstacle has left takes the density and temperature, or density times colour, of the nearest position
// that was fluid before: s(x) = s(x_closest). The search walks outwards along the gradient of the distance before the obstacles moved. If
// it finds nothing, the mean of the nearest fluid along the six axes is used. A solid holds nothing, so without this pass a moving obstacle
// would leave a hole behind it.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2) uniform sampler3D apertureBefore;
layout(binding = 3) uniform sampler3D distanceBefore;  // [cells]
layout(binding = 4) uniform sampler3D scalarsIn;
layout(binding = 5) uniform writeonly image3D scalarsOut;
// first: scalar cell of the first thread. layers: number along z.
layout(push_constant, scalar) uniform Push { ivec3 first; int layers; };
#define WISP_LAYERS layers
const int kTries = 8;    // steps along the gradient
const int kReach = 48;   // [cells] along the axes, where overlapping bodies make the walk oscillate

vec3 outward(vec3 p) {
    vec3 g;
    [[unroll]] for (int a = 0; a < 3; ++a) {
        vec3 e = vec3(unit(a));
        g[a] = 0.5 * (sampleCells(distanceBefore, p + e).x - sampleCells(distanceBefore, p - e).x);
    }
    return length(g) > 0.1 ? normalize(g) : vec3(0.0, 1.0, 0.0);  // at the centre of a body every direction is as good
}

// Mean of the scalars around a texel coordinate over the cells that were fluid; returns their weight.
float gather(vec3 texel, out vec4 mean) {
    ivec3 base = ivec3(floor(texel - 0.5));
    vec3 f = texel - 0.5 - vec3(base);
    float share = 0.0;
    mean = vec4(0.0);
    for (int n = 0; n < kCorners; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2), c = inGrid(base + o, sim.scalarCells);
        if (texelFetch(apertureBefore, texelOf(c / kScalarRatio), 0).w == 0.0) continue;
        vec3 w = mix(vec3(1.0) - f, f, vec3(o));
        mean += w.x * w.y * w.z * texelFetch(scalarsIn, scalarTexel(c), 0);
        share += w.x * w.y * w.z;
    }
    if (share > 0.0) mean /= share;
    return share;
}

bool gatherAlongAxes(vec3 p, float r, out vec4 mean) {
    float total = 0.0;
    vec4 sum = vec4(0.0), value;
    for (int n = 0; n < 6; ++n) {
        vec3 q = p + (n < 3 ? r : -r) * vec3(unit(n % 3));
        if (!insideBox(q)) continue;
        float share = gather(q * scalarsPerCell(), value);
        sum += share * value;
        total += share;
    }
    mean = sum / max(total, 1e-4);
    return total > 0.25;
}

bool skips(ivec3 c) {
    c += first;
    if (outside(c, sim.scalarCells) || !isSmokeStored(c)) return true;
    ivec3 texel = texelOf(c / kScalarRatio);
    return texelFetch(aperture, texel, 0).w == 0.0 || texelFetch(apertureBefore, texel, 0).w > 0.0;
}

void compute(ivec3 c) {
    c += first;
    vec3 start = scalarPoint(c), p = start;
    vec4 value = vec4(0.0);
    bool found = false;
    for (int n = 0; n < kTries && !found; ++n) {
        p += max(0.5 - sampleCells(distanceBefore, p).x, 0.25) * outward(p);
        p = amongCells(p);
        found = gather(p * scalarsPerCell(), value) > 0.25;
    }
    for (int r = 1; r <= kReach && !found; ++r) found = gatherAlongAxes(start, float(r), value);
    imageStore(scalarsOut, scalarTexel(c), toStorage(found ? value : vec4(0.0)));
}
#include "shared/each_cell.glsl"
