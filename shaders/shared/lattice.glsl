// SPDX-License-Identifier: MIT
// Points of the lattice of a volume file. Needs shared/grid.glsl.
#extension GL_EXT_buffer_reference : require
#include "shared/volume_source.h"
layout(binding = 6, scalar) readonly buffer VolumeTable { uint volumeTable[]; };

// Number of the block around point c, plus 1; 0: no block.
uint blockOf(Lattice l, ivec3 c) {
    ivec3 block = (c >> 3) - l.firstBlock;
    return outside(block, l.blocks) ? 0u : volumeTable[l.table + cellIndex(block, l.blocks)];
}
uint indexInBlock(ivec3 c) {
    ivec3 p = c & 7;
    return uint((p.x * 8 + p.y) * 8 + p.z);
}

// Indices of position x, relative to the low corner of the box [m]. A position within 1/1000 of a point is at the point, so that a file
// with the cells of this grid is read exactly.
vec3 latticeIndex(Lattice l, vec3 x) {
    vec3 t = vec3(dot(l.toIndex[0], vec4(x, 1.0)), dot(l.toIndex[1], vec4(x, 1.0)), dot(l.toIndex[2], vec4(x, 1.0))), near = round(t);
    return mix(t, near, lessThan(abs(t - near), vec3(1e-3)));
}
