#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Right-hand side of the next coarser level: H_c^2 times the mean residual (b - A q) / H^2 of the eight cells below, which is half their
// sum. Also starts the cycle of that level: see mg_start.comp.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 7, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 8, scalar) readonly buffer CoarseWeights { vec4 coarseWeights[]; };
layout(binding = 9, scalar) readonly buffer CoarseRegular { uint coarseRegular[]; };
layout(push_constant, scalar) uniform Push { PressureLevel fine; PressureLevel coarse; float tolerance; float omega; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"
#include "shared/start.glsl"
#include "shared/stop.glsl"
#include "shared/coarse_diagonal.glsl"

void main() {
    ivec3 C = cell();
    if (outside(C, coarse.cells) || converged(tolerance)) return;
    float sum = 0.0;
    for (int n = 0; n < kCorners; ++n) {
        ivec3 c = 2 * C + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        if (outside(c, fine.cells) || diagonal(fine, c) == 0.0) continue;
        int i = cellIndex(fine, c);
        sum += rhs[i] - applied(fine, c, i);
    }
    int i = cellIndex(coarse, C);
    rhsOut[i] = 0.5 * float(kHalvesOfSum) * sum;
    pressureOut[i] = started(coarse, C, 0.5 * float(kHalvesOfSum) * sum, coarseDiagonal(C), omega);
}
