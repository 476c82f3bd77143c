// SPDX-License-Identifier: MIT
// A grid of pressure cells (the pressure grid itself or a coarser level of the multigrid hierarchy) and its location in the buffers. Shared
// by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_PRESSURE_LEVEL_H
#define WISP_SHADERS_SHARED_PRESSURE_LEVEL_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>

#include <cstdint>
#define WISP_FUNCTION inline
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
using uint = std::uint32_t;
#else
#define WISP_FUNCTION
#endif

// Cells per word of flags. The low bits mark regular cells. The bits so many above them mark cells that have an equation.
#define WISP_REGULAR_BITS 16
#define WISP_COLUMN 4             // fine cells along z of a thread of presmooth_pressure in a dense simulation
#define WISP_BOTTOM_THREADS 1024  // threads of mg_bottom, and maximum number of its pairs of cells along x
#define WISP_BOTTOM_FLOATS 8000   // floats in its shared memory: 32 KiB together with the tables of levels, which every device has
#define WISP_BOTTOM_LEVELS 12     // upper bound of the number of levels of such a small grid
// weights of all levels but the first in the shared memory of mg_bottom_weights: 16 bytes each, also within 32 KiB
#define WISP_BOTTOM_TEXELS 2040

struct PressureLevel {
    ivec3 cells;
    vec3 last;         // edge of the last cell along each axis, in cells of this level: the cell may be truncated
    int first;         // index of its first cell in buffers of cells
    int firstWeight;   // index of its first texel in the buffer of weights, which has one more than cells along each axis
    int firstRegular;  // index of its first word of flags
};

// A row along x is stored as its even cells, followed by its odd cells, so that half a red-black sweep touches only whole cache lines. This
// is the position of a cell in its row.
WISP_FUNCTION int slotOf(PressureLevel l, int x) { return (x & 1) * ((l.cells.x + 1) / 2) + (x >> 1); }
// The inverse of slotOf.
WISP_FUNCTION int cellOfSlot(PressureLevel l, int slot) {
    int evens = (l.cells.x + 1) / 2;
    return slot < evens ? 2 * slot : 2 * (slot - evens) + 1;
}

WISP_FUNCTION int cellIndex(PressureLevel l, ivec3 C) { return l.first + (C.z * l.cells.y + C.y) * l.cells.x + slotOf(l, C.x); }
WISP_FUNCTION int cellCount(PressureLevel l) { return l.cells.x * l.cells.y * l.cells.z; }
WISP_FUNCTION int weightIndex(PressureLevel l, ivec3 C) { return l.firstWeight + (C.z * (l.cells.y + 1) + C.y) * (l.cells.x + 1) + C.x; }
WISP_FUNCTION int weightCount(PressureLevel l) { return (l.cells.x + 1) * (l.cells.y + 1) * (l.cells.z + 1); }
// The flags of a row begin with a new word, in the order of the row's slots.
WISP_FUNCTION int regularWords(PressureLevel l) { return (l.cells.x + WISP_REGULAR_BITS - 1) / WISP_REGULAR_BITS; }
WISP_FUNCTION int regularIndex(PressureLevel l, int slot, int y, int z) {
    return l.firstRegular + (z * l.cells.y + y) * regularWords(l) + slot / WISP_REGULAR_BITS;
}
// The bits of a cell in its word of flags.
WISP_FUNCTION uint flagsOf(int slot, bool isRegular, bool hasEquation) {
    return (isRegular ? 1u : 0u) << slot % WISP_REGULAR_BITS | (hasEquation ? 1u : 0u) << (slot % WISP_REGULAR_BITS + WISP_REGULAR_BITS);
}
WISP_FUNCTION bool hasEquation(uint word, int slot) { return (word >> (slot % WISP_REGULAR_BITS + WISP_REGULAR_BITS) & 1u) != 0u; }
WISP_FUNCTION int regularCount(PressureLevel l) { return regularWords(l) * l.cells.y * l.cells.z; }

// A level with a layer of zeros around it, in the shared memory of mg_bottom. Even cells are in the second half of a row.
WISP_FUNCTION int haloRow(PressureLevel l) { return 2 * ((l.cells.x + 3) / 2); }
WISP_FUNCTION int haloCount(PressureLevel l) { return haloRow(l) * (l.cells.y + 2) * (l.cells.z + 2); }
WISP_FUNCTION int haloIndex(PressureLevel l, ivec3 C) {
    int p = C.x + 1;
    return ((C.z + 1) * (l.cells.y + 2) + C.y + 1) * haloRow(l) + (p & 1) * (haloRow(l) / 2) + p / 2;
}

// Edge of a cell along an axis, in cells of the level; and distance between the centres of the cells beside the face below cell i. On a
// side of the box this is the distance from the centre to the face, unless the axis is periodic.
WISP_FUNCTION float cellExtent(PressureLevel l, int axis, int i) { return i + 1 < l.cells[axis] ? 1.0f : l.last[axis]; }
WISP_FUNCTION float centreDistance(PressureLevel l, int axis, int i, bool periodic) {
    float low = i > 0 ? cellExtent(l, axis, i - 1) : periodic ? l.last[axis] : 0.0f;
    float high = i < l.cells[axis] ? cellExtent(l, axis, i) : periodic ? cellExtent(l, axis, 0) : 0.0f;
    return 0.5f * (low + high);
}

// A half sweep updates the cells of one colour, none of which are neighbours. The parity of x + y + z gives two colours, which are enough
// unless a periodic axis (a bit of `periodic`) has an odd number of cells: then even cells meet across its seam. In this case the last cell
// along such an axis counts as 2, other cells as 0 and 1, and the sum modulo 3 gives three colours.
WISP_FUNCTION bool isOddSeam(PressureLevel l, int periodic, int axis) {
    return periodic != 0 && (periodic >> axis & 1) != 0 && l.cells[axis] % 2 == 1 && l.cells[axis] > 1;
}
WISP_FUNCTION int colourCount(PressureLevel l, int periodic) {
    return isOddSeam(l, periodic, 0) || isOddSeam(l, periodic, 1) || isOddSeam(l, periodic, 2) ? 3 : 2;
}
WISP_FUNCTION int colourOf(PressureLevel l, int periodic, ivec3 C) {
    if (colourCount(l, periodic) == 2) return (C.x + C.y + C.z) & 1;
    int sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += isOddSeam(l, periodic, axis) && C[axis] + 1 == l.cells[axis] ? 2 : C[axis] & 1;
    return sum % 3;
}

// Whether every four consecutive cells of a colour in a row begin at a multiple of 16 bytes: see cell_quad.glsl.
WISP_FUNCTION bool rowsOfVec4(PressureLevel l) { return l.cells.x % 8 == 0 && l.first % 4 == 0; }

// The next coarser level, stored behind this one. Two cells make one; a single odd cell at the end makes a truncated cell.
WISP_FUNCTION PressureLevel coarser(PressureLevel l) {
    PressureLevel c;
    c.cells = (l.cells + 1) / 2;
    for (int axis = 0; axis < 3; ++axis) c.last[axis] = 0.5f * l.last[axis] + (l.cells[axis] % 2 == 0 ? 0.5f : 0.0f);
    c.first = l.first + cellCount(l);
    c.firstWeight = l.firstWeight + weightCount(l);
    c.firstRegular = l.firstRegular + regularCount(l);
    return c;
}

#ifdef __cplusplus
WISP_MEMBERS(PressureLevel, cells, last, first, firstWeight, firstRegular)
}  // namespace wisp::gpu
#endif
#endif
