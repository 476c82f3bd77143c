#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 256) in;
// The weights of the next coarser level: see shared/coarse_weight.glsl.
layout(binding = 2, scalar) writeonly buffer WeightsOut { vec4 weightsOut[]; };
layout(binding = 3, scalar) writeonly buffer RegularOut { uint regularOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel fine; PressureLevel coarse; };
shared uint flags[256 / WISP_REGULAR_BITS];

vec4 fineWeights(PressureLevel l, ivec3 f, bool made) { return weightsAt(l, f); }
#include "shared/coarse_weight.glsl"

// A thread computes a texel of a row. 16 threads share a word of flags.
void makeTexel(int i, int padded) {
    int slot = i % padded, word = int(gl_LocalInvocationIndex / WISP_REGULAR_BITS);
    ivec3 size = coarse.cells + 1, C = ivec3(slot, (i / padded) % size.y, i / (padded * size.y));
    if (slot < coarse.cells.x) C.x = cellOfSlot(coarse, slot);
    barrier();
    flags[word] = 0u;
    barrier();
    bool regular = false;
    vec4 w = vec4(0.0);
    if (!outside(C, size)) weightsOut[weightIndex(coarse, C)] = w = coarseTexel(fine, coarse, C, false, regular);
    if (w.w > 0.0) atomicOr(flags[word], flagsOf(slot, regular, true));
    barrier();
    bool first = slot % WISP_REGULAR_BITS == 0 && slot < coarse.cells.x && C.y < coarse.cells.y && C.z < coarse.cells.z;
    if (first) regularOut[regularIndex(coarse, slot, C.y, C.z)] = flags[word];
}

void main() {
    int padded = (coarse.cells.x + WISP_REGULAR_BITS) / WISP_REGULAR_BITS * WISP_REGULAR_BITS;  // x + 1, rounded up
    int end = padded * (coarse.cells.y + 1) * (coarse.cells.z + 1), stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    for (int i = int(gl_GlobalInvocationID.x); i < (end + 255) / 256 * 256; i += stride) makeTexel(i, padded);
}
