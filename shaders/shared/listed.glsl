// SPDX-License-Identifier: MIT
// Threads of a pass that runs over all cells of a grid, or over the bricks of a list. Needs shared/grid.glsl. A thread whose cell() is
// kNowhere has nothing to do; it is outside of every grid.
#ifndef WISP_LISTED_GLSL
#define WISP_LISTED_GLSL
#include "shared/brick_list.h"
layout(constant_id = 22) const int kUnit = 0;   // threads along an edge of a brick; 0: a thread for every cell of the grid
layout(constant_id = 23) const int kPart = -1;  // WISP_ACTIVE ...; -1: the simulation is not sparse
layout(constant_id = 24) const int kNear = 0;   // of the halo, only work groups with cells so near to active bricks [cells]; 0: all
layout(constant_id = 29) const int kBorder = 0;  // of kept bricks, only work groups so near to bricks that are not kept; 0: all
layout(constant_id = 32) const int kRounds = 1;  // cells that each thread takes, one after the other, see each_cell.glsl
layout(binding = 20, scalar) readonly buffer BrickListBlock { BrickList brickList; ListedBrick listedBricks[]; };
const ivec3 kNowhere = ivec3(1 << 20);
// Not constants: SPIRV-Tools 2023.1 orders folded operations on constant vectors wrongly.
uvec3 workGroup = gl_WorkGroupSize;
int unitEdge = kUnit;
ivec3 groupSize = ivec3(workGroup);

uint activeBricks() { return brickList.kept + brickList.opened; }
uint firstListed() { return kPart == WISP_FILL ? brickList.kept : kPart == WISP_CLOSING ? activeBricks() + brickList.halo : 0u; }
uint listedCount() {
    return kPart == WISP_ACTIVE ? activeBricks() : kPart == WISP_FILL ? brickList.opened + brickList.halo
         : kPart == WISP_CLOSING ? brickList.closing : activeBricks() + brickList.halo;
}
uint listedIndex() { return gl_WorkGroupID.z * WISP_BRICKS_IN_ROW + gl_WorkGroupID.y; }  // of the group's brick in the part
ivec3 placeOf(ListedBrick b) { return ivec3(b.place & 1023u, b.place >> 10 & 1023u, b.place >> 20 & 1023u); }
bool isListed() { return listedIndex() < listedCount(); }  // false past the end of the part
ListedBrick listedEntry() { return listedBricks[firstListed() + listedIndex()]; }
ivec3 listedBrick() { return isListed() ? placeOf(listedEntry()) : kNowhere; }  // of the work group
bool isInHalo() { return firstListed() + listedIndex() >= activeBricks(); }
bool isKept() { return firstListed() + listedIndex() < brickList.kept; }

// Whether a brick is a whole number of work groups along each axis. Otherwise threads take its cells in the order x, y, z.
bool isWholeGroups() { return all(equal(unitEdge % groupSize, ivec3(0))); }

// Offsets to the bricks that have cells within `near` of cells `first` to `last` of a brick, as ListedBrick::neighbours.
uint bricksNear(ivec3 first, ivec3 last, int near) {
    uvec3 way = uvec3(2u) | uvec3(lessThan(first, ivec3(near))) | uvec3(greaterThanEqual(last, ivec3(WISP_BRICK_EDGE - near))) << 2;
    uint row = way.x, layer = row << 3 | row * (way.y & 1u) | (row << 6) * (way.y >> 2);
    return layer << 9 | layer * (way.z & 1u) | (layer << 18) * (way.z >> 2);
}

// Number of cells that kNear or kBorder stands for.
int distanceOf(int near) { return near < WISP_NEAR_PATHS ? near : brickList.reach + 2 + near - WISP_NEAR_PATHS; }
// Whether one of the bricks `wanted` is near to cells `first` to `last` of a brick with kUnit cells along an edge.
bool isNear(uint wanted, ivec3 first, ivec3 last, int near) {
    const int edge = WISP_BRICK_EDGE / max(kUnit, 1);
    return (wanted & bricksNear(first * edge, (last + 1) * edge - 1, near)) != 0u;
}

ivec3 listedCell(int round) {
    if (!isListed()) return kNowhere;
    ListedBrick brick = listedEntry();
#ifdef WISP_ONCE_PER_SLOT  // for what does not change while a brick has its slot
    if (kPart == WISP_FILL && (brick.neighbours & WISP_IS_NEW) == 0u) return kNowhere;
#endif
    int g = int(gl_WorkGroupID.x) * kRounds + round, threads = groupSize.x * groupSize.y * groupSize.z;
    int n = g * threads + int(gl_LocalInvocationIndex);
    ivec3 p, first, last;  // the thread's cell, and the cells of its group
    if (isWholeGroups()) {
        ivec3 groups = unitEdge / groupSize;
        if (g >= groups.x * groups.y * groups.z) return kNowhere;  // fewer groups than rounds
        first = groupSize * ivec3(g % groups.x, g / groups.x % groups.y, g / (groups.x * groups.y));
        last = first + groupSize - 1;
        p = first + ivec3(gl_LocalInvocationID);
    } else {
        if (n >= kUnit * kUnit * kUnit) return kNowhere;
        const int layer = kUnit * kUnit;
        first = ivec3(0, 0, g * threads / layer);
        last = ivec3(kUnit - 1, kUnit - 1, min((g + 1) * threads - 1, kUnit * layer - 1) / layer);
        p = ivec3(n % kUnit, n / kUnit % kUnit, n / layer);
    }
    if (kNear > 0 && isInHalo() && !isNear(brick.neighbours, first, last, distanceOf(kNear))) return kNowhere;
    if (kBorder > 0 && isKept()) {
        int near = distanceOf(kBorder);
        bool isBorder = (brick.neighbours & WISP_BESIDE_OPENED) != 0u || near > WISP_BRICK_EDGE;  // bricks farther away are not known
        if (!isBorder && !isNear(~brick.neighbours, first, last, near)) return kNowhere;
    }
    return placeOf(brick) * kUnit + p;
}

// Whether no thread of the work group has a cell.
bool isIdle(ivec3 c) { return kUnit > 0 && isWholeGroups() && c == kNowhere; }

int layersOfThreads() { return int(gl_NumWorkGroups.z * workGroup.z); }

// The thread's cell of a round.
ivec3 cell(int round) {
    if (kUnit > 0) return listedCell(round);
    return ivec3(gl_GlobalInvocationID) + ivec3(0, 0, round * layersOfThreads());
}
ivec3 cell() { return cell(0); }
#endif
