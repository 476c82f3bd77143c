// SPDX-License-Identifier: MIT
// The pressure equation sum_f w_f (q - q_n) = b of one level, on linear buffers. q = p dt / rho [m^2/s], 0 outside the box; b = -H^2 div.
// Along a periodic axis neighbours are across the seam. On every level the weight of a face is its open area over the distance between the
// centres of the adjacent cells.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/pressure_level.h"
#include "shared/periodic.glsl"
#include "shared/flat.glsl"
layout(binding = 1, scalar) readonly buffer Weights { vec4 weights[]; };  // see coarse_aperture.comp

// A coarse right-hand side is (H_c / H)^2 times the mean of the residuals below it. This is so many halves of their sum.
const int kHalvesOfSum = kFlat ? 2 : 1;

vec4 weightsAt(PressureLevel l, ivec3 C) { return weights[weightIndex(l, C)]; }
// Weights of the faces on the high side of a cell.
vec3 highWeightsAt(PressureLevel l, ivec3 C) {
    int i = weightIndex(l, C), row = l.cells.x + 1;
    return vec3(weights[i + 1].x, weights[i + row].y, weights[i + row * (l.cells.y + 1)].z);
}

// The cell stored at index `i` of a level.
ivec3 storedCell(PressureLevel l, int i) {
    return ivec3(cellOfSlot(l, i % l.cells.x), (i / l.cells.x) % l.cells.y, i / (l.cells.x * l.cells.y));
}
