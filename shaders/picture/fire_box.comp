#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/light_window.glsl"
#include "shared/fire_lights.h"
#include "shared/flames.glsl"
layout(local_size_x = 1024) in;
// Divides a fire into parts: blocks of equal cubes around all cells that send out at least 1/10000 of the light of the brightest one. The
// cubes are as small as WISP_FIRE_LIGHTS of them allow. One group, which looks at the second finest grid of the ordinates.
layout(binding = 3) uniform sampler3D glow;  // see ordinates_coarsen.comp
layout(binding = 4) uniform sampler3D medium;
layout(binding = 5, scalar) writeonly buffer FireLightsOut { FireLights fireLightsOut; };
shared uint brightest;
shared int low[3], high[3];

ivec3 cellOf(int n, ivec3 cells) { return ivec3(n % cells.x, n / cells.x % cells.y, n / (cells.x * cells.y)); }
// 0 beyond the last cell: in a sparse simulation the images have more texels.
float powerOf(ivec3 c, ivec3 cells) {
    if (c.z >= cells.z) return 0.0;
    float share = linearShare(texelFetch(medium, c, 0).a * litSize().x / float(cells.x));
    return dot(texelFetch(glow, c, 0).rgb, vec3(0.2126, 0.7152, 0.0722)) / share;
}

void main() {
    int t = int(gl_LocalInvocationIndex);
    if (t == 0) brightest = 0u;
    if (t < 3) low[t] = 1 << 20, high[t] = -1;
    barrier();
    ivec3 cells = kSparse ? lightWindow.ordinateCells[1] : textureSize(glow, 0);
    int total = cells.x * cells.y * cells.z;
    float most = 0.0;
    for (int n = t; n < total; n += 4096)  // several together, because a single fetch would wait for its own
        [[unroll]] for (int k = 0; k < 4096; k += 1024) most = max(most, powerOf(cellOf(n + k, cells), cells));
    atomicMax(brightest, floatBitsToUint(most));  // the bits of positive floats have their order
    barrier();
    float least = max(1e-4 * uintBitsToFloat(brightest), 1e-30);
    ivec3 from = ivec3(1 << 20), to = ivec3(-1);
    for (int n = t; n < total; n += 4096)
        [[unroll]] for (int k = 0; k < 4096; k += 1024) {
            ivec3 c = cellOf(n + k, cells);
            bool isPart = powerOf(c, cells) >= least;
            from = isPart ? min(from, c) : from;
            to = isPart ? max(to, c) : to;
        }
    for (int axis = 0; axis < 3; ++axis) {
        atomicMin(low[axis], from[axis]);
        atomicMax(high[axis], to[axis]);
    }
    barrier();
    if (t > 0) return;
    // in cells of the finest grid
    ivec3 first = 2 * ivec3(low[0], low[1], low[2]), size = 2 * ivec3(high[0], high[1], high[2]) + 2 - first, parts = ivec3(0);
    int edge = 0;
    if (brightest > 0u) do {
        ++edge;
        parts = (size + edge - 1) / edge;
    } while (parts.x * parts.y * parts.z > WISP_FIRE_LIGHTS);
    fireLightsOut.low = first;
    fireLightsOut.edge = edge;
    fireLightsOut.parts = parts;
}
