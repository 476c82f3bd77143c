// SPDX-License-Identifier: MIT
// Processes four consecutive cells of one row and colour at a time: loads of 16 bytes, and a quarter of the address arithmetic. For levels
// whose rows are multiples of 8 cells and begin at multiples of 4 (see rowsOfVec4).
// Needs shared/poisson.glsl and `fours`, the pressure as a buffer of vec4.
#include "shared/regular.glsl"

#include "shared/dirichlet.glsl"

// Cells 2 slot + parity, ... + 2, ... + 4, ... + 6 of row (y, z).
struct CellQuad { int slot, parity, y, z; };

int quadIndex(PressureLevel l, CellQuad c) {  // in units of vec4
    return (l.first + (c.z * l.cells.y + c.y) * l.cells.x + c.parity * (l.cells.x >> 1) + c.slot) >> 2;
}

// Low bits: cells that need no weights. The bits WISP_REGULAR_BITS above them: cells that have an equation.
uint quadFlags(PressureLevel l, CellQuad c) {
    int slot = c.parity * (l.cells.x >> 1) + c.slot;
    return regular[regularIndex(l, slot, c.y, c.z)] >> (slot % WISP_REGULAR_BITS) & (15u << WISP_REGULAR_BITS | 15u);
}
// In Dirichlet cells q stays 0. The value of a cell without an open face is never read.
bool haveEquations(uint flags) { return !kDirichletCells || flags >> WISP_REGULAR_BITS != 0u; }

// The four neighbours one step along y or z; 0 outside the box.
vec4 quadAt(int i, bool inside) { return inside ? vec4s[i] : vec4(0.0); }

// A q of the cells, as in shared/neighbours.glsl, and the sums of their weights.
vec4 quadApplied(PressureLevel l, CellQuad c, uint flags, out vec4 q, out vec4 sums) {
    int i = quadIndex(l, c), row = l.cells.x >> 2, plane = row * l.cells.y, side = i + (c.parity == 0 ? row >> 1 : -(row >> 1));
    uint bits = flags & 15u;
    q = vec4s[i];
    // Along x both neighbours lie in the other half of the row: four in line with the cells, and one more before or behind.
    vec4 near = vec4s[side];
    bool first = c.parity == 0;
    bool hasMore = first ? c.slot > 0 : c.slot + 4 < l.cells.x >> 1;
    float more = !hasMore ? 0.0 : first ? vec4s[side - 1].w : vec4s[side + 1].x;
    vec4 lowX = q - (first ? vec4(more, near.xyz) : near), highX = q - (first ? near : vec4(near.yzw, more));
    vec4 lowY = q - quadAt(i - row, c.y > 0), highY = q - quadAt(i + row, c.y + 1 < l.cells.y);
    vec4 lowZ = vec4(0.0), highZ = vec4(0.0);
    if (!kFlat) {
        lowZ = q - quadAt(i - plane, c.z > 0);
        highZ = q - quadAt(i + plane, c.z + 1 < l.cells.z);
    }
    sums = vec4(float(kNeighbours));
    vec4 result = (lowX + highX) + (lowY + highY) + (lowZ + highZ);
    if (bits == 15u) return result;
    int w = weightIndex(l, ivec3(2 * c.slot + c.parity, c.y, c.z)), wRow = l.cells.x + 1, wPlane = wRow * (l.cells.y + 1);
    [[unroll]] for (int n = 0; n < 4; ++n) {
        if ((bits >> n & 1u) != 0u) continue;
        vec4 own = weights[w + 2 * n];
        vec3 high = vec3(weights[w + 2 * n + 1].x, weights[w + 2 * n + wRow].y, weights[w + 2 * n + wPlane].z);
        result[n] = dot(own.xyz, vec3(lowX[n], lowY[n], lowZ[n])) + dot(high, vec3(highX[n], highY[n], highZ[n]));
        sums[n] = own.w;
    }
    return result;
}
