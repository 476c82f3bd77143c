// SPDX-License-Identifier: MIT
// The neighbours' pressure in `pressureIn`. Needs shared/poisson.glsl.
float pressureOr0(ivec3 C, int axis, int step) {
    C[axis] += step;
    bool inside = step < 0 ? C[axis] >= 0 : C[axis] < sim.pressureCells[axis];
    return inside ? pressureIn[pressureIndex(C)] : 0.0;
}

float weightedNeighbours(ivec3 C, vec4 w) {
    float sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        sum += w[axis] * pressureOr0(C, axis, -1);
        sum += weightsAt(C + unit(axis))[axis] * pressureOr0(C, axis, 1);
    }
    return sum;
}
