#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 256) in;
// Weights of coarse levels: the open area of a coarse face is that of the (up to four) faces below it, and its weight that
// area over the distance of the centres beside it. Right for cells cut short too. One level in many groups, or all
// remaining ones in a single group.
layout(binding = 2, scalar) coherent buffer WeightsOut { vec4 weightsOut[]; };
layout(binding = 3, scalar) writeonly buffer RegularOut { uint regularOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel finest; PressureLevel next; int levels; };
shared uint flags[8];

// The first level below is in a buffer of its own; those behind it are in the one that is written.
float fineWeight(PressureLevel fine, ivec3 f, int axis, bool written) {
    return written ? weightsOut[weightIndex(fine, f)][axis] : weightsAt(fine, f)[axis];
}

float weight(PressureLevel fine, PressureLevel coarse, ivec3 C, int axis, bool written) {
    ivec3 first = 2 * C, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
    first[axis] = min(first[axis], fine.cells[axis]);
    float sum = 0.0;
    for (int n = 0; n < 4; ++n) {
        ivec3 f = first + (n & 1) * t1 + (n >> 1) * t2;
        if (!outside(f, fine.cells + unit(axis))) sum += fineWeight(fine, f, axis, written);
    }
    return (kFlat ? 0.5 : 0.25) * sum * centreDistance(fine, axis, first[axis], isPeriodic(axis)) / centreDistance(coarse, axis, C[axis], isPeriodic(axis));
}

// A thread makes a texel of a row; a word of flags belongs to 32 threads in turn.
void makeTexel(PressureLevel fine, PressureLevel coarse, int i, int padded, bool written) {
    int slot = i % padded, word = int(gl_LocalInvocationIndex / WISP_REGULAR_BITS);
    ivec3 size = coarse.cells + 1, C = ivec3(slot, (i / padded) % size.y, i / (padded * size.y));
    if (slot < coarse.cells.x) C.x = cellOfSlot(coarse, slot);
    barrier();
    flags[word] = 0u;
    barrier();
    bool isCell = !outside(C, coarse.cells), regular = isCell;
    vec4 w = vec4(0.0);
    if (!outside(C, size)) {
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
            if (outside(C, coarse.cells + unit(axis))) continue;
            w[axis] = weight(fine, coarse, C, axis, written);
            if (!isCell) continue;
            float high = weight(fine, coarse, C + unit(axis), axis, written);
            if (!isPeriodic(axis) || coarse.cells[axis] > 1) w.w += w[axis] + high;  // else the cell meets itself
            regular = regular && w[axis] == 1.0 && high == 1.0 && C[axis] > 0 && C[axis] + 1 < coarse.cells[axis];
        }
        weightsOut[weightIndex(coarse, C)] = w;
    }
    if (regular) atomicOr(flags[word], 1u << (slot % WISP_REGULAR_BITS));
    barrier();
    bool first = slot % WISP_REGULAR_BITS == 0 && slot < coarse.cells.x && C.y < coarse.cells.y && C.z < coarse.cells.z;
    if (first) regularOut[regularIndex(coarse, slot, C.y, C.z)] = flags[word];
}

void main() {
    PressureLevel fine = finest, coarse = next;
    for (int n = 0; n < levels; ++n) {
        int padded = (coarse.cells.x + WISP_REGULAR_BITS) / WISP_REGULAR_BITS * WISP_REGULAR_BITS;  // x + 1, rounded up
        int end = padded * (coarse.cells.y + 1) * (coarse.cells.z + 1), stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
        for (int i = int(gl_GlobalInvocationID.x); i < (end + 255) / 256 * 256; i += stride) makeTexel(fine, coarse, i, padded, n > 0);
        memoryBarrierBuffer();
        barrier();
        fine = coarse;
        coarse = coarser(coarse);
    }
}
