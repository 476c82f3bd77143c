// SPDX-License-Identifier: MIT
// The cells of a thread on one level: a pair of neighbours along x, one red and one black (with three colours, see shared/pressure_level.h,
// any two). Their pressures are in `tile`, where each level has a layer of zeros around it.
// Needs shared/poisson.glsl and `rhsPlace`.
struct PairCell {
    int index, left;   // index of the cell and of its left neighbour; the right neighbour follows the left one
    vec3 low, high;    // weights
    float factor, b;   // omega / sum_f w_f; -omega without open faces; 0 outside the box
    ivec3 below, above;  // with periodic axes: indices of all neighbours,
    int colour;          // and the colour, one of two or three
};
PairCell pairCells[2];  // the red one first
ivec3 pairAt;           // the even cell
bool pairExists;
int pairFirst, pairRow, pairPlane, pairColours;

ivec3 pairCell(int n) { return ivec3(pairAt.x + ((pairAt.y + pairAt.z + n) & 1), pairAt.yz); }
int pairIndex() { return pairFirst + ((pairAt.z + 1) * (pairPlane / pairRow) + pairAt.y + 1) * pairRow + pairRow / 2 + pairAt.x / 2; }

// Distance of a child's centre from the centre of its coarse cell along an axis: 1/4, or less for the low child of a truncated cell.
float pairOffset(PressureLevel coarse, int axis, int i) {
    return (i & 1) == 1 ? 0.25 : 0.5 * max(cellExtent(coarse, axis, i / 2), 0.5) - 0.25;
}

// Index of a cell of a level or of the zeros around it; along periodic axes, of the cell that it is an image of.
int imageIndex(PressureLevel l, int first, ivec3 c) { return first + haloIndex(l, wrappedOnce(c, l.cells)); }

// There are no branches between the loads, so that their latencies overlap.
void loadPair(PressureLevel l, int first) {
    int inRow = (l.cells.x + 1) / 2, i = int(gl_LocalInvocationIndex), row = quotient(i, inRow), z = quotient(row, l.cells.y);
    pairFirst = first;
    pairRow = haloRow(l);
    pairPlane = pairRow * (l.cells.y + 2);
    pairColours = colourCount(l, kPeriodic);
    pairExists = z < l.cells.z;
    pairCells[0].factor = pairCells[1].factor = 0.0;
    if (!pairExists) return;
    pairAt = ivec3(2 * (i - row * inRow), row - z * l.cells.y, z);
    vec4 w[2];
    [[unroll]] for (int n = 0; n < 2; ++n) {
        ivec3 c = pairCell(n), C = min(c, l.cells - 1);
        w[n] = weightsAt(l, C);
        pairCells[n].high = highWeightsAt(l, C);
        pairCells[n].b = l.first == top.first ? rhs[cellIndex(l, C)] : tile[rhsPlace(l, C)];
        pairCells[n].index = first + haloIndex(l, c);
        pairCells[n].left = pairCells[n].index + ((c.x & 1) == 0 ? -pairRow / 2 : pairRow / 2 - 1);
        if (kPeriodic == 0) continue;
        pairCells[n].colour = colourOf(l, kPeriodic, c);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            pairCells[n].below[axis] = imageIndex(l, first, C - unit(axis));
            pairCells[n].above[axis] = imageIndex(l, first, C + unit(axis));
        }
    }
    [[unroll]] for (int n = 0; n < 2; ++n) {
        pairCells[n].low = w[n].xyz;
        if (pairCell(n).x < l.cells.x) pairCells[n].factor = w[n].w > 0.0 ? omega / w[n].w : -omega;
    }
}

// b - A q with (A q)_c = sum_f w_f (q_c - q_n); 0 without open faces.
float pairResidual(int n) {
    if (pairCells[n].factor <= 0.0) return 0.0;
    int i = pairCells[n].index, left = pairCells[n].left;
    float q = tile[i];
    if (kPeriodic != 0) {
        ivec3 below = pairCells[n].below, above = pairCells[n].above;
        return pairCells[n].b - dot(pairCells[n].low, q - vec3(tile[below.x], tile[below.y], tile[below.z])) -
               dot(pairCells[n].high, q - vec3(tile[above.x], tile[above.y], tile[above.z]));
    }
    return pairCells[n].b - dot(pairCells[n].low, q - vec3(tile[left], tile[i - pairRow], tile[i - pairPlane])) -
           dot(pairCells[n].high, q - vec3(tile[left + 1], tile[i + pairRow], tile[i + pairPlane]));
}

void relaxCell(int n) {
    float factor = pairCells[n].factor;
    if (factor != 0.0) tile[pairCells[n].index] += factor * (factor > 0.0 ? pairResidual(n) : tile[pairCells[n].index]);
}

void relaxPair(int colour) {
    if (kPeriodic == 0) {
        relaxCell(colour);
    } else {
        [[unroll]] for (int n = 0; n < 2; ++n) if (pairCells[n].colour == colour) relaxCell(n);
    }
}
