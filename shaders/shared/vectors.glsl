// SPDX-License-Identifier: MIT
// Vectors at cells that are never interpolated are stored in buffers, in the order of the cells, x fastest: reading one costs a quarter of
// a texture fetch. Each is four halves, or four floats in float storage. A field that exceeds the maximum size of a binding is accessed by
// its address, which is a push constant. Needs shared/grid.glsl.
#ifndef WISP_VECTORS_GLSL
#define WISP_VECTORS_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/rounding.glsl"
layout(constant_id = 13) const bool kByAddress = false;
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer VectorsIn { uvec2 read[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer VectorsOut { uvec2 written[]; };

// Declares field `name` at binding n. The push constants must contain VectorsIn or VectorsOut `name`Address.
#define VECTORS_IN(n, name) layout(binding = n, scalar) readonly buffer name##Field { uvec2 name[]; }
#define VECTORS_OUT(n, name) layout(binding = n, scalar) writeonly buffer name##Field { uvec2 name[]; }
#define LOAD(name, place) unpacked(WORDS(name, place, 0u), kHalfStorage ? uvec2(0u) : WORDS(name, place, 1u))
#define WORDS(name, place, half) (kByAddress ? name##Address.read[wordsAt(place) + half] : name[wordsAt(place) + half])
#define STORE(name, place, vector)                                                                        \
    {                                                                                                     \
        uvec4 words = packed(vector);                                                                     \
        if (kByAddress) name##Address.written[wordsAt(place)] = words.xy;                                 \
        else name[wordsAt(place)] = words.xy;                                                             \
        if (!kHalfStorage && kByAddress) name##Address.written[wordsAt(place) + 1u] = words.zw;           \
        if (!kHalfStorage && !kByAddress) name[wordsAt(place) + 1u] = words.zw;                           \
    }

// The same for fields with a float per cell.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer FloatFieldIn { float read[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer FloatFieldOut { float written[]; };
#define FLOATS_IN(n, name) layout(binding = n, scalar) readonly buffer name##Field { float name[]; }
#define FLOATS_OUT(n, name) layout(binding = n, scalar) writeonly buffer name##Field { float name[]; }
#define LOAD_FLOAT(name, place) (kByAddress ? name##Address.read[place] : name[place])
#define STORE_FLOAT(name, place, value)                       \
    {                                                         \
        if (kByAddress) name##Address.written[place] = value; \
        else name[place] = value;                             \
    }

uint wordsAt(uint place) { return kHalfStorage ? place : 2u * place; }  // in pairs of words
vec4 unpacked(uvec2 first, uvec2 second) {
    return kHalfStorage ? vec4(unpackHalf2x16(first.x), unpackHalf2x16(first.y)) : uintBitsToFloat(uvec4(first, second));
}
uvec4 packed(vec4 v) {
    if (!kHalfStorage) return floatBitsToUint(v);
    if (max(max(abs(v.x), abs(v.y)), max(abs(v.z), abs(v.w))) > kLargestHalf)  // one comparison for all components costs an H200 less
        v = mix(v, sign(v) * kLargestHalf, greaterThan(abs(v), vec4(kLargestHalf)));  // NaN does not change
    return uvec4(packHalf2x16(v.xy), packHalf2x16(v.zw), 0u, 0u);
}

// Index difference from a cell to the next one along an axis, in the same brick.
uint strideOf(int axis) {
    if (kSparse) return axis == 0 ? 1u : axis == 1 ? uint(WISP_BRICK_EDGE) : uint(WISP_BRICK_EDGE * WISP_BRICK_EDGE);
    return axis == 0 ? 1u : uint(axis == 1 ? sim.cells.x : sim.cells.x * sim.cells.y);
}

// The same as `below` (step -1) and `above` (1), where the cell may be in another brick.
uint besideInBricks(uint place, ivec3 c, int axis, int step) {
    int d = c[axis] + step;
    if (c[axis] >= sim.cells[axis] || d < 0 || d >= sim.cells[axis]) return place;
    if ((d ^ c[axis]) < WISP_BRICK_EDGE) return place + uint(step) * strideOf(axis);  // no bit of the brick differs
    c[axis] = d;
    return placeOf(min(c, sim.cells - 1));
}

// Index of the cell below c along an axis, or above it. At an end of the box that is not periodic, the index of the cell itself. `place` is
// the index of c. Past the last cells, where face fields still have texels, it is the index of the nearest cell.
uint below(uint place, ivec3 c, int axis) {
    if (kSparse) return besideInBricks(place, c, axis, -1);
    uint n = uint(sim.cells[axis]), last = isPeriodic(axis) ? (n - 1u) * strideOf(axis) : 0u;
    return place + (uint(c[axis] - 1) < n - 1u ? -strideOf(axis) : last);
}
uint above(uint place, ivec3 c, int axis) {
    if (kSparse) return besideInBricks(place, c, axis, 1);
    uint n = uint(sim.cells[axis]), first = isPeriodic(axis) ? (1u - n) * strideOf(axis) : 0u;
    return place + (uint(c[axis]) + 1u < n ? strideOf(axis) : first);
}
#endif
