// SPDX-License-Identifier: MIT
// Connected components (pieces) of the fluid in a block of 2x2x2 cells. Sets of cells are bit masks: cell n is 1 << n.

// The component that contains cell n. inner[a]: the cells below an open inner face of axis a.
int pieceOf(int n, ivec3 inner) {
    int piece = 1 << n;
    for (int round = 0; round < 7; ++round) {  // length of the longest path between two of eight cells
        for (int axis = 0; axis < 3; ++axis) {
            int d = 1 << axis;
            piece |= (piece & inner[axis]) << d | (piece >> d & inner[axis]);
        }
    }
    return piece;
}
