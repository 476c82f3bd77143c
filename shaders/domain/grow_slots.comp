#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
// Copies the rings of free slots into longer rings, from their first free slot on, and appends the new slots. Bricks have taken and left
// slots since the rings were last changed, see brick_slots.comp.
layout(binding = 1, scalar) readonly buffer Free { FreeSlots freeSlots; uint ring[]; };
layout(binding = 2, scalar) writeonly buffer FreeOut { FreeSlots freeSlotsOut; uint ringOut[]; };
layout(push_constant, scalar) uniform Push { uint flowSlots; uint smokeSlots; };  // of the new rings

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint flow = freeSlots.flowFree + brickList.left, smoke = freeSlots.smokeFree + brickList.closing;
    if (i < flow) ringOut[i] = ring[(freeSlots.flowFirst + i) % freeSlots.flowSlots];
    else if (i - flow < flowSlots - freeSlots.flowSlots) ringOut[i] = freeSlots.flowSlots + i - flow;
    if (i < smoke) ringOut[flowSlots + i] = ring[freeSlots.flowSlots + (freeSlots.smokeFirst + i) % freeSlots.smokeSlots];
    else if (i - smoke < smokeSlots - freeSlots.smokeSlots) ringOut[flowSlots + i] = freeSlots.smokeSlots + i - smoke;
    if (i != 0u) return;
    freeSlotsOut.flowFirst = freeSlotsOut.smokeFirst = 0u;
    freeSlotsOut.flowFree = freeSlots.flowFree + flowSlots - freeSlots.flowSlots;
    freeSlotsOut.smokeFree = freeSlots.smokeFree + smokeSlots - freeSlots.smokeSlots;
    freeSlotsOut.flowSlots = flowSlots;
    freeSlotsOut.smokeSlots = smokeSlots;
}
