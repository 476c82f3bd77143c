#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 2) in;
// Like mg_prolong.comp, for eight cells of a fine row, which lie in four coarse cells: see shared/prolong.glsl.
layout(binding = 2, scalar) readonly buffer Coarse { float coarseIn[]; };
layout(binding = 3, std430) buffer PressureInOut { vec4 pressure[]; };
layout(binding = 4, scalar) readonly buffer FineRegular { uint fineRegular[]; };  // flags of the fine level, if it has Dirichlet cells
layout(push_constant, scalar) uniform Push { PressureLevel fine; PressureLevel coarse; float tolerance; };
#include "shared/regular.glsl"
#include "shared/stop.glsl"
#include "shared/dirichlet.glsl"

float coarseAt(ivec3 C) { return outside(C, coarse.cells) ? 0.0 : coarseIn[cellIndex(coarse, C)]; }

// Distance from the centre of the coarse cell to the centre of its child on that side.
float childDistance(int axis, int C, bool up) { return up ? 0.25 : 0.5 * max(cellExtent(coarse, axis, C), 0.5) - 0.25; }

void main() {
    ivec3 n = cell();
    if (outside(n, ivec3(fine.cells.x >> 3, fine.cells.yz)) || converged(tolerance)) return;
    int slots[2] = int[2](4 * n.x, (fine.cells.x >> 1) + 4 * n.x);
    uint flags[2] = uint[2](~0u, ~0u);
    if (kDirichletCells) [[unroll]] for (int parity = 0; parity < 2; ++parity)
        flags[parity] = fineRegular[regularIndex(fine, slots[parity], n.y, n.z)];
    if (((flags[0] >> slots[0] % WISP_REGULAR_BITS | flags[1] >> slots[1] % WISP_REGULAR_BITS) >> WISP_REGULAR_BITS & 15u) == 0u) return;
    ivec3 C = ivec3(4 * n.x, n.y >> 1, n.z >> 1);
    bool upY = (n.y & 1) == 1, upZ = (n.z & 1) == 1;
    float row[6];
    [[unroll]] for (int k = 0; k < 6; ++k) row[k] = coarseAt(C + ivec3(k - 1, 0, 0));
    float dy = childDistance(1, C.y, upY), dz = kFlat ? 0.0 : childDistance(2, C.z, upZ);
    vec4 even, odd;
    [[unroll]] for (int k = 0; k < 4; ++k) {
        ivec3 X = C + ivec3(k, 0, 0);
        float own = row[k + 1], y = coarseAt(X + (upY ? unit(1) : -unit(1))) - own, z = coarseAt(X + (upZ ? unit(2) : -unit(2))) - own;
        float low = row[k] - own, high = row[k + 2] - own;
        if (!isRegular(coarse, X)) {
            low *= weightsAt(coarse, X).x;
            high *= weightsAt(coarse, X + unit(0)).x;
            y *= weightsAt(coarse, upY ? X + unit(1) : X).y;
            z *= weightsAt(coarse, upZ ? X + unit(2) : X).z;
        }
        float sum = own + dy * y + dz * z;
        even[k] = sum + childDistance(0, X.x, false) * low;
        odd[k] = sum + 0.25 * high;
    }
    if (kDirichletCells) {
        [[unroll]] for (int k = 0; k < 4; ++k) {
            if (!hasEquation(flags[0], slots[0] + k)) even[k] = 0.0;
            if (!hasEquation(flags[1], slots[1] + k)) odd[k] = 0.0;
        }
    }
    int i = (fine.first + (n.z * fine.cells.y + n.y) * fine.cells.x + 4 * n.x) >> 2;
    pressure[i] += even;
    pressure[i + (fine.cells.x >> 3)] += odd;
}
