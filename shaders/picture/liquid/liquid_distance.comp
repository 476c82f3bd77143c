#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_POINTS 8
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
#include "shared/liquid/liquid_picture.h"
layout(push_constant, scalar) uniform Push { LiquidDistance push; };
#include "shared/liquid/liquid_around.glsl"
// The distance to the surface, see shared/liquid/liquid_around.glsl. It is known without reading particles in two cases. Where no cell
// within reach contains particles, it is the value for far away. Well inside, where all cells contain particles, it is -r: this is deeper
// than the noisy mean of particles gives, as normals of the surface need it.
// A thread has a block of 2^3 scalar cells. Blocks with work to do are redistributed, so that whole subgroups work or end.
layout(binding = 5) uniform writeonly image3D distanceOut;
const int kThreads = 128, kRows = 256;  // for a reach of 4 cells and scalar cells as large as cells: 24 cells in each of 16^2 rows
shared uint filled[kRows];  // one bit per cell of a row that the group reaches: the cell contains particles
shared uint busy[kThreads], busyCount;

vec3 middleOf(ivec3 block) { return scalarPoint(2 * block) + offMiddle(); }
bool isOutside(ivec3 c) { return outside(c, stepData.scalarCells); }

uint filledOf(ivec3 low, int count) {
    ivec2 row = ivec2(mirrored(low.y, 1), mirrored(low.z, 2));
    if (min(row.x, row.y) < 0) return 0u;
    uint first = cellIndex(ivec3(0, row), stepData.cells), bits = 0u;
    for (int n = 0; n < count; ++n) {
        int x = mirrored(low.x + n, 0);
        uint c = first + uint(max(x, 0));
        bits |= x >= 0 && cellFirst[c + 1u] > cellFirst[c] ? 1u << n : 0u;
    }
    return bits;
}

void store(ivec3 block, float[8] phi) {
    [[unroll]] for (int k = 0; k < 8; ++k) {
        ivec3 c = 2 * block + ivec3(k & 1, (k >> 1) & 1, k >> 2);
        if (!isOutside(c)) imageStore(distanceOut, c, vec4(phi[k]));
    }
}

void main() {
    ivec3 block = cell(), group = ivec3(gl_WorkGroupID) * ivec3(gl_WorkGroupSize);
    int i = int(gl_LocalInvocationIndex);
    ivec3 low = firstCell(middleOf(group)), size = lastCell(middleOf(group + ivec3(gl_WorkGroupSize) - 1)) - low + 1;
    for (int n = i; n < size.y * size.z; n += kThreads) filled[n] = filledOf(low + ivec3(0, n % size.y, n / size.y), size.x);
    if (i == 0) busyCount = 0u;
    barrier();
    ivec3 first = firstCell(middleOf(block)) - low, last = lastCell(middleOf(block)) - low;
    uint row = ((2u << (last.x - first.x)) - 1u) << first.x, anyFilled = 0u, allFilled = row;
    for (int z = first.z; z <= last.z; ++z)
        for (int y = first.y; y <= last.y; ++y) {
            uint bits = filled[z * size.y + y] & row;
            anyFilled |= bits;
            allFilled &= bits;
        }
    if (anyFilled != 0u && allFilled != row && !isOutside(2 * block)) {
        busy[atomicAdd(busyCount, 1u)] = uint(i);
    } else {
        float phi = allFilled == row ? -push.radius : farAway();
        store(block, float[8](phi, phi, phi, phi, phi, phi, phi, phi));
    }
    barrier();
    if (uint(i) >= busyCount) return;
    i = int(busy[i]);
    block = group + ivec3(i & 7, (i >> 3) & 3, i >> 5);
    store(block, distancesAround(middleOf(block)));
}
