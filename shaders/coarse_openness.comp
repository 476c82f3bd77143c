#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// Weights of the coarse pressure equation: area average of the fine openness over each coarse face, doubled on open sides
// of the box, where q = 0 lies on the face, half a cell away. w = sum over the cell's six faces, the diagonal.
layout(binding = 1) uniform sampler3D openness;
layout(binding = 2, scalar) writeonly buffer WeightsOut { vec4 weightsOut[]; };
layout(binding = 3, scalar) writeonly buffer RegularOut { uint regularOut[]; };  // 1 where all six weights are 1

float weight(ivec3 C, int axis) {
    int r = sim.ratio;
    ivec3 first = C * r, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
    first[axis] = min(first[axis], sim.cells[axis]);
    float sum = 0.0;
    for (int b = 0; b < r; ++b) {
        for (int a = 0; a < r; ++a) {
            ivec3 f = first + a * t1 + b * t2;
            if (faceExists(f, axis)) sum += texelFetch(openness, f, 0)[axis];
        }
    }
    float alpha = sum / float(r * r);
    return sideOfFace(first, axis) == WISP_OPEN ? 2.0 * alpha : alpha;
}

void main() {
    ivec3 C = cell();
    ivec3 size = sim.pressureCells + 1;
    if (outside(C, size)) return;
    bool isCell = !outside(C, sim.pressureCells), regular = true;
    vec4 w = vec4(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        w[axis] = weight(C, axis);
        if (!isCell) continue;
        float high = weight(C + unit(axis), axis);
        w.w += w[axis] + high;
        regular = regular && w[axis] == 1.0 && high == 1.0;
    }
    if (isCell) regularOut[(C.z * sim.pressureCells.y + C.y) * sim.pressureCells.x + C.x] = regular ? 1u : 0u;
    weightsOut[(C.z * size.y + C.y) * size.x + C.x] = w;
}
