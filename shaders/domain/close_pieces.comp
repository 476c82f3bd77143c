#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
#include "shared/limits.glsl"
#include "shared/solids.glsl"
// Closes all fine faces of the cells that small_pieces.comp found on `level`, in place. They move with the nearest obstacle. w of cells
// beside them falls to the mean of their apertures, so that it stays 1 only where all faces are open, and 0 where none is. Runs over a box
// of fine texels: small_pieces.comp has only looked at the blocks around this box.
layout(binding = 1, scalar) readonly buffer Closed { uint closed[]; };
layout(binding = 2) uniform sampler3D apertureIn;
layout(binding = 3) uniform writeonly image3D apertureOut;
layout(binding = 4) uniform sampler3D solidVelocityIn;
layout(binding = 5) uniform writeonly image3D solidVelocityOut;  // [m/s], see obstacles.comp: here also on faces that have been fully open

bool isClosed(ivec3 c) {
    c = wrappedOnce(c, sim.cells);
    if (outside(c, sim.cells)) return false;
    if (blocksInSlots() && !isStored(c)) return false;
    c /= level.fineCells;
    int n = (c.x & 1) | (c.y & 1) << 1 | (c.z & 1) << 2;
    return (closed[faceIndex(c / 2)] >> n & 1u) != 0u;
}

void main() {
    ivec3 c = level.first + cell();
    if (outside(c, sim.cells + 1) || outside(cell(), level.size) || !isStored(c)) return;
    bvec3 here = bvec3(isClosed(c)), below = bvec3(false), above = bvec3(false);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        below[axis] = isClosed(c - unit(axis));
        above[axis] = isClosed(c + unit(axis));
    }
    if (!here.x && !any(below) && !any(above)) return;
    vec4 alpha = texelFetch(apertureIn, texelOf(c), 0), us = texelFetch(solidVelocityIn, texelOf(c), 0);
    bvec3 wasWhole = bvec3(false);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) wasWhole[axis] = (here.x || below[axis]) && alpha[axis] == 1.0;
    for (int axis = 0; axis < noUnrollIf(any(wasWhole), kAxes); ++axis)
        if (wasWhole[axis] && faceExists(c, axis)) us[axis] = solidVelocity(c, axis);
    if (any(wasWhole)) imageStore(solidVelocityOut, texelOf(c), velocityToStorage(us.xyz));
    int open = 0;  // sum over the faces of the cell [1/255]
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (here.x || below[axis]) alpha[axis] = 0.0;
        if (axis >= kAxes) continue;
        // Of faces that stay open, threads beside this one write the same value.
        float high = here.x || above[axis] ? 0.0 : texelFetch(apertureIn, texelOf(c + unit(axis)), 0)[axis];
        open += int(round(255.0 * alpha[axis])) + int(round(255.0 * high));
    }
    if (!outside(c, sim.cells)) alpha.w = min(alpha.w, float(open > 0 ? max(open / (2 * kAxes), 1) : 0) / 255.0);
    imageStore(apertureOut, texelOf(c), alpha);
}
