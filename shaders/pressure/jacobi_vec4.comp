#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 2, local_size_z_id = 17) in;
// Like jacobi.comp, with eight cells of a row per thread.
layout(binding = 2, std430) readonly buffer Rhs { vec4 rhs[]; };
layout(binding = 3, std430) readonly buffer PressureIn { vec4 pressureIn[]; };
layout(binding = 4, std430) writeonly buffer PressureOut { vec4 pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; };
#define vec4s pressureIn
#include "shared/cell_quad.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 n = cell();
    if (outside(n, ivec3(level.cells.x >> 3, level.cells.yz))) return;
    bool done = converged(tolerance);
    [[unroll]] for (int parity = 0; parity < 2; ++parity) {
        CellQuad c = CellQuad(4 * n.x, parity, n.y, n.z);
        int i = quadIndex(level, c);
        vec4 q, sums, r = rhs[i] - quadApplied(level, c, quadFlags(level, c), q, sums);
        bvec4 open = greaterThan(sums, vec4(0.0));
        pressureOut[i] = done ? q : q + mix(-q, r / mix(vec4(1.0), sums, open), open);
    }
}
