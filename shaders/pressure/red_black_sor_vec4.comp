#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
// Like red_black_sor.comp, with four cells per thread.
layout(binding = 2, std430) readonly buffer Rhs { vec4 rhs[]; };
layout(binding = 3, std430) buffer PressureIn { vec4 pressureIn[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; int colour; };
#define vec4s pressureIn
#include "shared/cell_quad.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 n = cell();
    if (outside(n, ivec3(level.cells.x >> 3, level.cells.yz)) || converged(tolerance)) return;
    CellQuad c = CellQuad(4 * n.x, (n.y + n.z + colour) & 1, n.y, n.z);
    uint flags = quadFlags(level, c);
    if (!haveEquations(flags)) return;
    int i = quadIndex(level, c);
    vec4 b = rhs[i], q, sums, r = b - quadApplied(level, c, flags, q, sums);
    bvec4 open = greaterThan(sums, vec4(0.0));
    pressureIn[i] = q + omega * mix(-q, r / mix(vec4(1.0), sums, open), open);
}
