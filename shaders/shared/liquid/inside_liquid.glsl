// SPDX-License-Identifier: MIT
// Whether no cell around c is EMPTY. Needs shared/grid.glsl, `aperture`, and `surface` as liquid_cells writes it.
bool isInside(ivec3 c) {
    bool inside = true;
    for (int n = 0; n < noUnroll(27); ++n) {
        ivec3 near = c + ivec3(n % 3, (n / 3) % 3, n / 9) - 1;
        bool empty = outside(near, sim.cells) ? beyondOpenSide(vec3(near) + 0.5)
            : surface[cellIndex(near, sim.cells)].x >= 0.0 && texelFetch(aperture, near, 0).w > 0.0;
        inside = inside && !empty;
    }
    return inside;
}
