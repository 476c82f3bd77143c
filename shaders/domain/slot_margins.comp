#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
// Copies the texels behind the last cells of a brick from the bricks there into the margin of its slot. A trilinear sample then finds all
// its texels in one slot. Behind the last texel of the field the margin repeats it. One work group per brick.
layout(binding = 1) uniform sampler3D fieldIn;
layout(binding = 2) uniform writeonly image3D fieldOut;
layout(push_constant, scalar) uniform Push { ivec3 size; int isSmoke; };  // size: of the field in a dense simulation

// Texel n of the margin: the layer x = edge, then y = edge without it, then z = edge.
ivec3 marginTexel(int n, const int edge) {
    const int side = edge + 1;
    if (n < side * side) return ivec3(edge, n % side, n / side);
    n -= side * side;
    if (n < edge * side) return ivec3(n % edge, edge, n / edge);
    n -= edge * side;
    return ivec3(n % edge, n / edge, edge);
}

void main() {
    ivec3 brick = listedBrick();
    if (brick == kNowhere) return;
    findSlots();
    if (isSmoke != 0) {
        ivec3 first = brick * kScalarEdge, corner = scalarTexel(first);
        const int side = kScalarEdge + 1, count = side * side * side - kScalarEdge * kScalarEdge * kScalarEdge;
        for (int n = int(gl_LocalInvocationIndex); n < count; n += 256) {
            ivec3 texel = marginTexel(n, kScalarEdge);
            imageStore(fieldOut, corner + texel, texelFetch(fieldIn, scalarTexel(min(first + texel, size - 1)), 0));
        }
    } else {
        ivec3 first = brick * WISP_BRICK_EDGE, corner = texelOf(first);
        const int side = WISP_BRICK_EDGE + 1, count = side * side * side - WISP_BRICK_EDGE * WISP_BRICK_EDGE * WISP_BRICK_EDGE;
        for (int n = int(gl_LocalInvocationIndex); n < count; n += 256) {
            ivec3 texel = marginTexel(n, WISP_BRICK_EDGE);
            imageStore(fieldOut, corner + texel, texelFetch(fieldIn, texelOf(min(first + texel, size - 1)), 0));
        }
    }
}
