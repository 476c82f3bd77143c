// SPDX-License-Identifier: MIT
// A thread's cells of one level: WISP_PAIRS pairs of neighbours along x, each a red and a black cell (with three colours, see
// shared/pressure_level.h, any two). Their pressures are in
// `tile`, where each level has a layer of zeros around it. Needs shared/poisson.glsl
// and `rhsPlace`.
#define WISP_PAIRS (WISP_BOTTOM_PAIRS / WISP_BOTTOM_THREADS)
struct PairCell {
    int place, left;   // of the cell and its left neighbour; the right one follows that
    vec3 low, high;    // weights
    float factor, b;   // omega / sum_f w_f; -omega without open faces; 0 outside the box
    ivec3 below, above;  // with periodic axes: places of all neighbours,
    int colour;          // and which of two or three colours it has
};
PairCell pairCells[2 * WISP_PAIRS];  // the red ones first
ivec3 pairAt[WISP_PAIRS];            // the even cell
bool pairExists[WISP_PAIRS];
int pairFirst, pairRow, pairPlane, pairColours;

ivec3 pairCell(PressureLevel l, int n) {
    ivec3 c = pairAt[n % WISP_PAIRS];
    return ivec3(c.x + ((c.y + c.z + n / WISP_PAIRS) & 1), c.yz);
}
int pairPlace(int k) { return pairFirst + ((pairAt[k].z + 1) * (pairPlane / pairRow) + pairAt[k].y + 1) * pairRow + pairRow / 2 + pairAt[k].x / 2; }

// Distance of a child's centre from its coarse cell's along an axis: a low one is alone in a cell cut short.
float pairOffset(PressureLevel coarse, int axis, int i) {
    return (i & 1) == 1 ? 0.25 : 0.5 * max(cellExtent(coarse, axis, i / 2), 0.5) - 0.25;
}

// Place of a cell of a level or of the zeros around it; along periodic axes of the cell that it is an image of.
int imagePlace(PressureLevel l, int first, ivec3 c) { return first + haloIndex(l, wrappedOnce(c, l.cells)); }

// Without branches between the loads, so that their latencies overlap.
void loadPairs(PressureLevel l, int first) {
    int inRow = (l.cells.x + 1) / 2, count = inRow * l.cells.y * l.cells.z;
    pairFirst = first;
    pairRow = haloRow(l);
    pairPlane = pairRow * (l.cells.y + 2);
    pairColours = colourCount(l, kPeriodic);
    [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) {
        int i = int(gl_LocalInvocationIndex) + k * WISP_BOTTOM_THREADS;
        pairExists[k] = i < count;
        pairCells[k].factor = pairCells[k + WISP_PAIRS].factor = 0.0;
        if (!pairExists[k]) continue;
        pairAt[k] = ivec3(2 * (i % inRow), (i / inRow) % l.cells.y, i / (inRow * l.cells.y));
        vec4 w[2];
        float b[2];
        [[unroll]] for (int colour = 0; colour < 2; ++colour) {
            int n = k + colour * WISP_PAIRS;
            ivec3 c = pairCell(l, n), C = min(c, l.cells - 1);
            w[colour] = weightsAt(l, C);
            pairCells[n].high = vec3(weightsAt(l, C + unit(0)).x, weightsAt(l, C + unit(1)).y, weightsAt(l, C + unit(2)).z);
            pairCells[n].b = l.first == top.first ? rhs[cellIndex(l, C)] : tile[rhsPlace(l, C)];
            pairCells[n].place = first + haloIndex(l, c);
            pairCells[n].left = pairCells[n].place + ((c.x & 1) == 0 ? -pairRow / 2 : pairRow / 2 - 1);
            if (kPeriodic == 0) continue;
            pairCells[n].colour = colourOf(l, kPeriodic, c);
            [[unroll]] for (int axis = 0; axis < 3; ++axis) {
                pairCells[n].below[axis] = imagePlace(l, first, C - unit(axis));
                pairCells[n].above[axis] = imagePlace(l, first, C + unit(axis));
            }
        }
        [[unroll]] for (int colour = 0; colour < 2; ++colour) {
            int n = k + colour * WISP_PAIRS;
            pairCells[n].low = w[colour].xyz;
            if (pairCell(l, n).x < l.cells.x) pairCells[n].factor = w[colour].w > 0.0 ? omega / w[colour].w : -omega;
        }
    }
}

// b - A q with (A q)_c = sum_f w_f (q_c - q_n); 0 without open faces.
float pairResidual(int n) {
    if (pairCells[n].factor <= 0.0) return 0.0;
    int i = pairCells[n].place, left = pairCells[n].left;
    float q = tile[i];
    if (kPeriodic != 0) {
        ivec3 below = pairCells[n].below, above = pairCells[n].above;
        return pairCells[n].b - dot(pairCells[n].low, q - vec3(tile[below.x], tile[below.y], tile[below.z])) -
               dot(pairCells[n].high, q - vec3(tile[above.x], tile[above.y], tile[above.z]));
    }
    return pairCells[n].b - dot(pairCells[n].low, q - vec3(tile[left], tile[i - pairRow], tile[i - pairPlane])) -
           dot(pairCells[n].high, q - vec3(tile[left + 1], tile[i + pairRow], tile[i + pairPlane]));
}

void relaxPair(int n) {
    float factor = pairCells[n].factor;
    if (factor != 0.0) tile[pairCells[n].place] += factor * (factor > 0.0 ? pairResidual(n) : tile[pairCells[n].place]);
}

void relaxPairs(int colour) {
    if (kPeriodic == 0) {
        [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) relaxPair(colour * WISP_PAIRS + k);
    } else {
        [[unroll]] for (int n = 0; n < 2 * WISP_PAIRS; ++n) if (pairCells[n].colour == colour) relaxPair(n);
    }
}
