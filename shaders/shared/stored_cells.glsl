// SPDX-License-Identifier: MIT
// Cells of the active bricks of a sparse simulation, for sums over them. The list has a fixed order, so the same field gives the same bits.
// `edge`: cells along an edge of a brick. Cells of the last bricks may be outside of the box. Needs shared/reduce.glsl, and
// shared/grid.glsl with WISP_LISTS_BRICKS.
uint storedCells(int edge) { return activeBricks() * uint(edge * edge * edge); }
ivec3 storedCell(uint n, int edge) {
    uint cells = uint(edge * edge * edge);
    return placeOf(listedBricks[n / cells]) * edge + numberedCell(int(n % cells), ivec3(edge));
}
