// SPDX-License-Identifier: MIT
// Vectors at cells that nobody interpolates lie in buffers, in the order of their cells, x fastest: reading one there costs a
// fourth of a texture's fetch. Four halves each, or four floats in float storage. A field that is larger than a binding may be
// goes by its address, which is a push constant. Needs shared/grid.glsl.
#ifndef WISP_VECTORS_GLSL
#define WISP_VECTORS_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/rounding.glsl"
layout(constant_id = 13) const bool kByAddress = false;
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer VectorsIn { uvec2 read[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer VectorsOut { uvec2 written[]; };

// Declares field `name` at binding n. The push constants have VectorsIn or VectorsOut `name`Address.
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

uint wordsAt(uint place) { return kHalfStorage ? place : 2u * place; }  // pairs of words
vec4 unpacked(uvec2 first, uvec2 second) {
    return kHalfStorage ? vec4(unpackHalf2x16(first.x), unpackHalf2x16(first.y)) : uintBitsToFloat(uvec4(first, second));
}
uvec4 packed(vec4 v) {
    if (!kHalfStorage) return floatBitsToUint(v);
    if (max(max(abs(v.x), abs(v.y)), max(abs(v.z), abs(v.w))) > kLargestHalf)  // one look for all costs an H200 less
        v = mix(v, sign(v) * kLargestHalf, greaterThan(abs(v), vec4(kLargestHalf)));  // NaN stays
    return uvec4(packHalf2x16(v.xy), packHalf2x16(v.zw), 0u, 0u);
}

// From a cell to the next one along an axis.
uint strideOf(int axis) { return axis == 0 ? 1u : uint(axis == 1 ? sim.cells.x : sim.cells.x * sim.cells.y); }

// Place of the cell below c along an axis, or above it; where the box ends and is not periodic that of the cell itself. `place` is
// that of c or, past the last cells, where fields on faces have texels still, of the nearest cell.
uint below(uint place, ivec3 c, int axis) {
    uint n = uint(sim.cells[axis]), last = isPeriodic(axis) ? (n - 1u) * strideOf(axis) : 0u;
    return place + (uint(c[axis] - 1) < n - 1u ? -strideOf(axis) : last);
}
uint above(uint place, ivec3 c, int axis) {
    uint n = uint(sim.cells[axis]), first = isPeriodic(axis) ? (1u - n) * strideOf(axis) : 0u;
    return place + (uint(c[axis]) + 1u < n ? strideOf(axis) : first);
}
#endif
