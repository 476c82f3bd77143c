#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Adds the correction of the coarse level to the pressure of the next finer level.
layout(binding = 2, scalar) readonly buffer Coarse { float coarseIn[]; };
layout(binding = 3, scalar) buffer PressureInOut { float pressure[]; };
layout(binding = 4, scalar) readonly buffer FineRegular { uint fineRegular[]; };  // flags of the fine level, if it has Dirichlet cells
layout(push_constant, scalar) uniform Push { PressureLevel fine; PressureLevel coarse; float tolerance; };
#define WISP_VALUE(i) coarseIn[i]
#include "shared/neighbours.glsl"
#include "shared/prolong.glsl"
#include "shared/stop.glsl"
#include "shared/dirichlet.glsl"

void main() {
    ivec3 c = cell();
    if (outside(c, fine.cells) || converged(tolerance)) return;
    int slot = slotOf(fine, c.x);
    if (kDirichletCells && !hasEquation(fineRegular[regularIndex(fine, slot, c.y, c.z)], slot)) return;
    pressure[cellIndex(fine, c)] += prolonged(coarse, c / 2, childOffset(coarse, c));
}
