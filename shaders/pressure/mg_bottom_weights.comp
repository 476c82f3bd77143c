#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 512) in;
// The weights of all levels below the first one of mg_bottom, in a single work group: see shared/coarse_weight.glsl. No pass needs to know
// which of their cells are regular.
layout(binding = 2, scalar) writeonly buffer WeightsOut { vec4 weightsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel top; int levels; };
shared vec4 below[WISP_BOTTOM_TEXELS];  // weights of these levels, one behind the other

int belowIndex(PressureLevel l, ivec3 f) { return weightIndex(l, f) - top.firstWeight - weightCount(top); }
vec4 fineWeights(PressureLevel l, ivec3 f, bool made) { return made ? below[belowIndex(l, f)] : weightsAt(l, f); }
#include "shared/coarse_weight.glsl"

void makeLevel(PressureLevel fine, PressureLevel coarse, bool made) {
    ivec3 size = coarse.cells + 1;
    for (int i = int(gl_LocalInvocationIndex); i < weightCount(coarse); i += int(gl_WorkGroupSize.x)) {
        int row = quotient(i, size.x), z = quotient(row, size.y);
        ivec3 C = ivec3(i - row * size.x, row - z * size.y, z);
        bool regular;
        vec4 w = coarseTexel(fine, coarse, C, made, regular);
        weightsOut[coarse.firstWeight + i] = w;
        below[belowIndex(coarse, C)] = w;
    }
}

void main() {
    if (levels == 0) return;
    PressureLevel fine = coarser(top);
    makeLevel(top, fine, false);
    for (int n = 1; n < levels; ++n) {
        barrier();
        PressureLevel coarse = coarser(fine);
        makeLevel(fine, coarse, true);
        fine = coarse;
    }
}
