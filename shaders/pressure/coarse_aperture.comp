#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Weights of the coarse pressure equation: area average of the fine apertures over each coarse face, doubled on open sides of the box,
// where q = 0 lies on the face, half a cell away. w = sum over the cell's six faces, the diagonal.
#include "shared/pressure_level.h"
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer WeightsOut { vec4 weightsOut[]; };
// bits of a cell: it has six neighbours and weights of 1; it has any weights
layout(binding = 3, scalar) writeonly buffer RegularOut { uint regularOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; ivec2 firstRow; };  // firstRow: y and z of the first thread
shared uint flags[256 / WISP_REGULAR_BITS];

float weight(ivec3 C, int axis) {
    int r = sim.ratio;
    ivec3 first = C * r, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
    first[axis] = min(first[axis], sim.cells[axis]);
    float sum = 0.0;
    for (int b = 0; b < r; ++b) {
        for (int a = 0; a < r; ++a) {
            ivec3 f = first + inLayer(a * t1 + b * t2);
            if (faceExists(f, axis)) sum += texelFetch(aperture, texelOf(f), 0)[axis];
        }
    }
    float alpha = sum / float(r * r);
    int side = sideOfFace(first, axis);
    if (kSparse && side > WISP_OPEN) return 0.0;  // bricks that are not stored share one that knows no sides
    return side == WISP_OPEN ? 2.0 * alpha : alpha;
}

void main() {
    ivec3 C = cell() + ivec3(0, firstRow);  // x is a slot of its row: see shared/pressure_level.h
    int slot = C.x, row = int(gl_LocalInvocationIndex / WISP_REGULAR_BITS);
    if (slot < level.cells.x) C.x = cellOfSlot(level, slot);
    flags[row] = 0u;
    barrier();
    bool isCell = !outside(C, level.cells), regular = isCell;
    vec4 w = vec4(0.0);
    for (int axis = 0; axis < kAxes; ++axis) {
        w[axis] = weight(C, axis);
        if (!isCell) continue;
        float high = weight(C + unit(axis), axis);
        if (!isPeriodic(axis) || level.cells[axis] > 1) w.w += w[axis] + high;  // otherwise the cell is its own neighbour
        regular = regular && w[axis] == 1.0 && high == 1.0 && C[axis] > 0 && C[axis] + 1 < level.cells[axis];
    }
    if (!outside(C, level.cells + 1)) weightsOut[weightIndex(level, C)] = w;
    if (w.w > 0.0) atomicOr(flags[row], flagsOf(slot, regular, true));
    barrier();
    bool first = slot % WISP_REGULAR_BITS == 0 && slot < level.cells.x && C.y < level.cells.y && C.z < level.cells.z;
    if (first) regularOut[regularIndex(level, slot, C.y, C.z)] = flags[row];
}
