// SPDX-License-Identifier: MIT
// Prolongation: the value that the coarse level gives to one of the cells below coarse cell C, whose centre is at `offset` [coarse cells]
// from the centre of C. It is the coarse value, changed along each axis by the flux through the coarse face on that side, w (q_n - q). The
// result is linear interpolation in open fluid, q = 0 on the face of an open side, and constant next to a wall.
// Needs shared/neighbours.glsl of the coarse level.
float prolonged(PressureLevel coarse, ivec3 C, vec3 offset) {
    float own = WISP_VALUE(cellIndex(coarse, C)), sum = own;
    bool regular = isRegular(coarse, C);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        bool up = offset[axis] > 0.0;
        ivec3 n = C + (up ? unit(axis) : -unit(axis));
        float w = regular ? 1.0 : weightsAt(coarse, up ? n : C)[axis];
        n = wrappedOnce(n, coarse.cells);
        float value = n[axis] < 0 || n[axis] >= coarse.cells[axis] ? 0.0 : WISP_VALUE(cellIndex(coarse, n));
        sum += abs(offset[axis]) * w * (value - own);
    }
    return sum;
}

// Offset of the centre of child c from the centre of coarse cell c / 2.
vec3 childOffset(PressureLevel coarse, ivec3 c) {
    vec3 offset = vec3(0.25);
    for (int axis = 0; axis < 3; ++axis) {
        if ((c[axis] & 1) == 0) offset[axis] = 0.25 - 0.5 * max(cellExtent(coarse, axis, c[axis] / 2), 0.5);
    }
    return offset;
}
