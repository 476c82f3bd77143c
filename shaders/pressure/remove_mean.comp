#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Without an open side the pressure is known only up to a constant. Then neither the right-hand side nor the pressure may have a mean over
// the cells that have weights.
layout(binding = 2, scalar) buffer Values { float values[]; };
layout(binding = 3, scalar) readonly buffer Sums { float sums[]; };  // of pressure_residual.comp
layout(push_constant, scalar) uniform Push { PressureLevel level; int sum; };  // index of the sum of these values

void main() {
    ivec3 C = cell();
    if (outside(C, level.cells)) return;
    if (weightsAt(level, C).w > 0.0) values[cellIndex(level, C)] -= sums[sum] / max(sums[3], 1.0);
}
