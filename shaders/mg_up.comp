#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Adds the coarse level's correction, and sweeps once.
#define WISP_HALO 2
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) readonly buffer Coarse { float coarseIn[]; };
layout(binding = 8, scalar) readonly buffer CoarseWeights { vec4 coarseWeights[]; };
layout(binding = 9, scalar) readonly buffer CoarseRegular { uint coarseRegular[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#include "shared/tile.glsl"
#include "shared/tile_store.glsl"
#include "shared/stop.glsl"

float coarseAt(ivec3 C) { return outside(C, coarse.cells) ? 0.0 : coarseIn[cellIndex(coarse, C)]; }

// What a cell gains along an axis per coarse cell of distance from its coarse cell's centre: the flux through the coarse face
// on that side, w (q_n - q). This is linear interpolation in the open, q = 0 on the face of an open side, and constant next
// to a wall.
void slopes(ivec3 C, float own, out vec3 low, out vec3 high) {
    int slot = slotOf(coarse, C.x);
    bool regular = (coarseRegular[regularIndex(coarse, slot, C.y, C.z)] >> (slot % WISP_REGULAR_BITS) & 1u) != 0u;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        low[axis] = coarseAt(C - unit(axis)) - own;
        high[axis] = coarseAt(C + unit(axis)) - own;
    }
    if (regular) return;
    low *= coarseWeights[weightIndex(coarse, C)].xyz;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) high[axis] *= coarseWeights[weightIndex(coarse, C + unit(axis))][axis];
}

// Distances of the centres of a coarse cell's two children from its own along an axis: the low one is alone in a cell cut short.
float lowDistance(int axis, int i) { return 0.5 * max(cellExtent(coarse, axis, i), 0.5) - 0.25; }

void prolongTile() {
    const ivec3 size = kStored / 2;
    for (int n = int(gl_LocalInvocationIndex); n < size.x * size.y * size.z; n += WISP_TILE_THREADS) {
        ivec3 local = ivec3(n % size.x, (n / size.x) % size.y, n / (size.x * size.y)), C = tileFirst() / 2 + local;
        float own = 0.0;
        vec3 low = vec3(0.0), high = vec3(0.0);
        bool inside = !outside(C, coarse.cells);
        if (inside) {
            own = coarseIn[cellIndex(coarse, C)];
            slopes(C, own, low, high);
            low *= vec3(lowDistance(0, C.x), lowDistance(1, C.y), lowDistance(2, C.z));
            high *= 0.25;
        }
        [[unroll]] for (int child = 0; child < 8; ++child) {
            ivec3 o = ivec3(child & 1, (child >> 1) & 1, child >> 2), c = 2 * C + o;
            vec3 gain = mix(low, high, equal(o, ivec3(1)));
            float q = outside(c, level.cells) ? 0.0 : pressureIn[cellIndex(level, c)] + (own + gain.x + gain.y + gain.z);
            tile[placeOf(2 * local + o)] = q;
        }
    }
    synchronize();
}

void main() {
    if (converged(tolerance)) return;
    prolongTile();
    relaxTile(0, 1);
    relaxTile(1, 0);
    storeTile();
}
