#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
// Like mg_restrict.comp. A thread processes eight cells of a fine row. Four threads share their sums, and each computes one coarse cell.
layout(binding = 2, std430) readonly buffer Rhs { vec4 rhs[]; };
layout(binding = 3, std430) readonly buffer PressureIn { vec4 pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 7, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 8, scalar) readonly buffer CoarseWeights { vec4 coarseWeights[]; };
layout(binding = 9, scalar) readonly buffer CoarseRegular { uint coarseRegular[]; };
layout(push_constant, scalar) uniform Push { PressureLevel fine; PressureLevel coarse; float tolerance; float omega; };
#define vec4s pressureIn
#include "shared/cell_quad.glsl"
#include "shared/start.glsl"
#include "shared/stop.glsl"
#include "shared/coarse_diagonal.glsl"
shared vec4 pairs[4][4][8];

vec4 residuals(CellQuad c) {
    uint flags = quadFlags(fine, c);
    if (!haveEquations(flags)) return vec4(0.0);
    vec4 q, sums, r = rhs[quadIndex(fine, c)] - quadApplied(fine, c, flags, q, sums);
    return mix(vec4(0.0), r, greaterThan(sums, vec4(0.0)));
}

void main() {
    ivec3 n = cell(), local = ivec3(gl_LocalInvocationID);
    if (converged(tolerance)) return;
    bool inside = !outside(n, ivec3(fine.cells.x >> 3, fine.cells.yz));
    vec4 pair = vec4(0.0);
    if (inside) pair = residuals(CellQuad(4 * n.x, 0, n.y, n.z)) + residuals(CellQuad(4 * n.x, 1, n.y, n.z));
    pairs[local.z][local.y][local.x] = pair;
    barrier();
    // The four threads of four coarse cells in a row compute one of them each.
    ivec3 even = local & ivec3(~0, ~1, ~1);
    int part = (local.y & 1) + 2 * (local.z & 1);
    ivec3 C = ivec3(4 * n.x + part, n.y >> 1, n.z >> 1);
    if (outside(C, coarse.cells)) return;
    float sum = (pairs[even.z][even.y][even.x][part] + pairs[even.z][even.y + 1][even.x][part]) +
                (pairs[even.z + 1][even.y][even.x][part] + pairs[even.z + 1][even.y + 1][even.x][part]);
    int i = cellIndex(coarse, C);
    rhsOut[i] = 0.5 * float(kHalvesOfSum) * sum;
    pressureOut[i] = started(coarse, C, 0.5 * float(kHalvesOfSum) * sum, coarseDiagonal(C), omega);
}
