#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Adds the correction of the coarse level, and sweeps once.
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) readonly buffer Coarse { float coarseIn[]; };
layout(binding = 8, scalar) readonly buffer CoarseWeights { vec4 coarseWeights[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#include "shared/tile.h"
#define WISP_LAYERS 2
#define WISP_THREADS WISP_TILE_THREADS
#include "shared/tile.glsl"
#include "shared/stop.glsl"
#include "shared/dirichlet.glsl"

float coarseAt(ivec3 C) {
    float q = coarseIn[cellIndex(coarse, nearest(coarse, C))];
    return outside(C, coarse.cells) ? 0.0 : q;
}

// Distance from the centre of a coarse cell to the centre of its low child along an axis: 1/4, less in a truncated cell, 0 if the child is
// alone in it.
float lowDistance(int axis, int i) { return 0.5 * max(cellExtent(coarse, axis, i), 0.5) - 0.25; }

// Adds the correction of a coarse cell to its (up to eight) children: its value, changed along each axis by the flux through the coarse
// face on that side, w (q_n - q). This is linear interpolation in open fluid, q = 0 on the face of an open side, and constant next to a
// wall.
void fillTile() {
    const ivec3 size = ivec3(kHalf, kStored.y / 2, kFlat ? 1 : kStored.z / 2);
    int n = int(gl_LocalInvocationIndex);
    ivec3 local = ivec3(n % size.x, (n / size.x) % size.y, n / (size.x * size.y)), C = tileFirst() / 2 + local, N = nearest(coarse, C);
    float own = coarseAt(N), q[8];
    bool hasEquation[8] = bool[8](true, true, true, true, true, true, true, true);
    [[unroll]] for (int child = 0; child < kCorners; ++child) {
        ivec3 c = 2 * C + ivec3(child & 1, (child >> 1) & 1, child >> 2), inside = nearest(level, c);
        q[child] = pressureIn[cellIndex(level, inside)];
        if (kDirichletCells) hasEquation[child] = weightsAt(level, inside).w > 0.0;
    }
    vec3 low = coarseWeights[weightIndex(coarse, N)].xyz, high;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        low[axis] *= lowDistance(axis, N[axis]) * (coarseAt(N - unit(axis)) - own);
        high[axis] = coarseWeights[weightIndex(coarse, N + unit(axis))][axis] * 0.25 * (coarseAt(N + unit(axis)) - own);
    }
    if (local.z >= size.z) return;
    [[unroll]] for (int child = 0; child < kCorners; ++child) {
        ivec3 o = ivec3(child & 1, (child >> 1) & 1, child >> 2);
        vec3 gain = mix(low, high, equal(o, ivec3(1)));
        tile[cellIndex(2 * local + o)] = outside(2 * C + o, level.cells) || !hasEquation[child] ? 0.0
            : q[child] + (own + gain.x + gain.y + gain.z);
    }
}
#include "shared/tile_sweep.glsl"

void main() {
    if (converged(tolerance)) return;
    sweepTile();
    storeTile();
}
