#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// Second of two passes: the list, in the order of the bricks within each part, so that runs are the same bit for bit, and the commands for
// the passes over each part. Bricks take and leave their slots in the same order. Every work group adds up the counts of those before it; a
// pass of its own would take longer.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };  // see brick_states.comp
layout(binding = 2, scalar) readonly buffer Counts_ { uint counts[]; };  // of the work groups of brick_counts.comp
layout(binding = 3, scalar) writeonly buffer ListOut { BrickList brickListOut; ListedBrick listedOut[]; };
layout(binding = 4, scalar) buffer Fastest { uint fastest; };  // bits of the largest coarse speed [m/s]
layout(binding = 5, scalar) buffer Free { FreeSlots freeSlots; uint ring[]; };  // of slots of velocity, then of smoke
layout(binding = 6, scalar) readonly buffer SlotsBefore { BrickSlots slotsBefore[]; };
layout(binding = 7, scalar) writeonly buffer SlotsOut { BrickSlots slotsOut[]; };
layout(binding = 8, scalar) writeonly buffer StatesOut { uint statesOut[]; };  // without what bricks want
layout(push_constant, scalar) uniform Push { uint groups; float sourceSpeed; };  // largest speed of sources and obstacles [m/s]
#include "shared/brick_class.glsl"
#define WISP_SUM uvec4
shared uvec4 sums[WISP_SCAN_THREADS];
shared uint total[7], before[7];  // sums over all work groups, and over those before this one
#include "shared/scan.glsl"

// Work groups (groups of a brick, bricks in a row, rows) for `count` bricks.
uvec3 command(uint count, uint groupsOfBrick) {
    uint rows = (count + WISP_BRICKS_IN_ROW - 1u) / WISP_BRICKS_IN_ROW;
    return uvec3(groupsOfBrick, min(count, WISP_BRICKS_IN_ROW), rows);
}

// Paths may be somewhat longer than in the step before. They end within the halo.
int reachOfPaths() {
    float speed = max(uintBitsToFloat(fastest), sourceSpeed);
    return int(clamp(ceil(1.5 * speed * sim.dt / sim.h) + 3.0, 6.0, float(WISP_BRICK_EDGE - 2)));
}

void writeHeader() {
    uint t = gl_LocalInvocationIndex, part = t / WISP_UNIT_SIZES;
    uint count = part == WISP_ACTIVE ? total[0] + total[1] : part == WISP_FILL ? total[1] + total[2]
               : part == WISP_LISTED ? total[0] + total[1] + total[2] : total[3];
    if (t < WISP_PARTS * WISP_UNIT_SIZES) brickListOut.commands[t] = command(count, 1u << (t % WISP_UNIT_SIZES));
    if (t != 0u) return;
    brickListOut.size = brickCount();
    brickListOut.kept = total[0];
    brickListOut.opened = total[1];
    brickListOut.halo = total[2];
    brickListOut.closing = total[3];
    brickListOut.taken = total[4];
    brickListOut.left = total[5];
    brickListOut.refused = total[6];
    brickListOut.reach = reachOfPaths();
    fastest = 0u;  // for the next step
}

// The k-th free slot of a ring, counted from the first one.
uint flowPlace(uint k) { return (freeSlots.flowFirst + k) % freeSlots.flowSlots; }
uint smokePlace(uint k) { return freeSlots.flowSlots + (freeSlots.smokeFirst + k) % freeSlots.smokeSlots; }

// `rank`: number of bricks before this one that take or leave a slot of velocity.
uint flowSlot(int n, Counts own, uvec2 rank) {
    uint slot = slotsBefore[n].flow;
    if (own.slots.x != 0u) return ring[flowPlace(rank.x)];
    if (own.slots.y != 0u) ring[flowPlace(freeSlots.flowFree + rank.y)] = slot;
    bool isListed = own.parts.x + own.parts.y + own.parts.z != 0u;
    return isListed ? slot : (states[n] & WISP_IS_SOLID) != 0u ? WISP_SOLID_SLOT : WISP_OPEN_SLOT;
}
uint smokeSlot(int n, Counts own, uvec4 rank) {
    uint slot = slotsBefore[n].smoke;
    if (own.parts.y != 0u) return ring[smokePlace(rank.y)];
    if (own.parts.w != 0u) ring[smokePlace(freeSlots.smokeFree + rank.w)] = slot;
    return own.parts.x != 0u ? slot : WISP_OPEN_SLOT;
}

void main() {
    uint t = gl_LocalInvocationIndex, group = uint(brickGroup());
    if (t < 7u) total[t] = before[t] = 0u;
    if (t == 0u) findLowestRank();
    barrier();
    for (uint n = t; n < groups; n += WISP_SCAN_THREADS) {
        for (uint k = 0u; k < 7u; ++k) {
            uint count = counts[7u * n + k];
            if (count == 0u) continue;
            atomicAdd(total[k], count);
            if (n < group) atomicAdd(before[k], count);
        }
    }
    barrier();
    int n = brickIndex();
    uint around = n < brickTotal() ? activeAround(n) : 0u;
    Counts own = n < brickTotal() ? countsOf(n, around) : Counts(uvec4(0u), uvec3(0u));
    uvec4 place = sumBefore(own.parts | uvec4(own.slots.x, own.slots.y, 0u, 0u) << 16);  // two sums at once, of at most 256 each
    if (group == 0u) writeHeader();
    if (n >= brickTotal()) return;
    uvec2 rank = (place.xy >> 16) + uvec2(before[4], before[5]);
    place = (place & 0xffffu) + uvec4(before[0], before[1], before[2], before[3]);
    BrickSlots slots = BrickSlots(flowSlot(n, own, rank), smokeSlot(n, own, place));
    uint smokeBefore = slotsBefore[n].smoke;  // both buffers may be the same
    slotsOut[n] = slots;
    const uint kept = WISP_WAS_ACTIVE | (0xffffffffu << WISP_IDLE_SHIFT);
    statesOut[n] = states[n] & kept | (around >> 13 & 1u) * WISP_IS_ACTIVE;
    uvec4 first = uvec4(0u, total[0], total[0] + total[1], total[0] + total[1] + total[2]);
    ivec3 b = brickAt(n);
    ListedBrick entry = ListedBrick(uint(b.x) | uint(b.y) << 10 | uint(b.z) << 20, around | (own.slots.x != 0u ? WISP_IS_NEW : 0u), slots);
    for (int k = 0; k < 4; ++k) {
        if (own.parts[k] == 0u) continue;
        if (k == 3) entry.slots.smoke = smokeBefore;
        listedOut[first[k] + place[k]] = entry;
    }
}
