// SPDX-License-Identifier: MIT
// Bricks of 16^3 fine cells. In a sparse simulation the fine velocity and smoke exist in active bricks alone. Everywhere else the fine
// velocity is the upsampled coarse velocity, and there is no smoke. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_BRICK_LIST_H
#define WISP_SHADERS_SHARED_BRICK_LIST_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
using uvec3 = glm::uvec3;
#endif

#define WISP_BRICK_EDGE 16        // fine cells
#define WISP_BRICK_BITS 4         // log2 of the edge
#define WISP_IDLE_STEPS 8         // a brick that nothing needs stays active for so many steps
#define WISP_BRICKS_IN_ROW 32768  // of a dispatch, whose work groups are (groups of a brick, bricks in a row, rows)
#define WISP_UNIT_SIZES 16        // as engine::kUnitSizes

// Parts of the list. A listed brick is kept (active, as in the step before), opened (newly active), or in the halo: beside an active one.
// The halo holds the upsampled coarse velocity for the stencils and paths of active bricks. Closing bricks were active in the step before.
#define WISP_ACTIVE 0  // kept and opened
#define WISP_FILL 1    // opened and halo: to be filled from the coarse velocity
#define WISP_LISTED 2  // kept, opened and halo
#define WISP_CLOSING 3
#define WISP_PARTS 4

#define WISP_NEAR_PATHS 256  // for `kNear`: as far as a path and the cells around its end reach, and so many cells more

// Slots of bricks in a field, see shared/storage.glsl. A layer of an image has WISP_SLOTS_X x WISP_SLOTS_Y slots, or
// WISP_SLOT_COLUMNS times as many along x in grids with many bricks: some drivers fail to clear images that are deeper than 2048 texels.
#define WISP_SLOTS_X 16
#define WISP_SLOTS_Y 8
#define WISP_SLOT_COLUMNS 8
#define WISP_DEEPEST_IMAGE 2048
#define WISP_OPEN_SLOT 0u   // blank: fluid without smoke
#define WISP_SOLID_SLOT 1u  // blank: inside an obstacle
#define WISP_BLANK_SLOTS 2u

#define WISP_IS_ACTIVE 1u   // bits of the state of a brick
#define WISP_WAS_ACTIVE 2u  // in the step before
#define WISP_IS_SOLID 4u    // its centre is in an obstacle
#define WISP_WANTS 8u       // it is to be opened, if there are slots for it and its neighbours
#define WISP_RANK_SHIFT 4u  // of bricks to be opened, 0 to WISP_RANKS - 1: if there are too few slots, the lower ranks stay closed
#define WISP_RANKS 8
#define WISP_IDLE_SHIFT 8u  // number of steps in which nothing has needed the brick

// The list follows in the same buffer.
struct BrickList {
    uvec3 commands[WISP_PARTS * WISP_UNIT_SIZES];  // VkDispatchIndirectCommand of a part for units of 2^n work groups
    ivec3 size;                                    // bricks along each axis
    uint kept, opened, halo, closing;              // number of bricks
    uint taken, left;                              // number of slots of velocity that bricks took and left in this step
    uint refused;                                  // number of bricks that were not opened
    int reach;                                     // longest component of a path in this step [cells]; longer paths are cut
};

#define WISP_IS_NEW (1u << 27)         // the brick has taken its slot of velocity in this step
#define WISP_BESIDE_OPENED (1u << 28)  // it is opened, or a brick beside it is
struct BrickSlots {
    uint flow;   // of the fields on fine cells and faces
    uint smoke;  // of the fields at scalar cells
};

struct ListedBrick {
    uint place;        // its coordinates, 10 bits each
    uint neighbours;   // bit x + 3 y + 9 z, for offsets -1 to 1 counted from 0: the brick there is active; WISP_IS_NEW, WISP_BESIDE_OPENED
    BrickSlots slots;  // a closing brick has the slot of smoke that it gives up
};

// A box of fine cells whose bricks are active.
struct SeedBox {
    ivec3 first, last;
};

// Smoke in a brick.
struct BrickSmoke {
    uint box;     // first and last cell with smoke, 4 bits per coordinate, and bit 24; 0: none
    float most;   // largest density, or excess temperature as in brick_smoke.comp
    float reach;  // longest component of the backward paths in the last step [cells]
};

// Slots that no brick has, in two rings: bricks take the first ones, and leave theirs behind the last one. A slot that is left is free in
// the next step. What bricks want is summed for each rank.
struct FreeSlots {
    uint flowFirst, flowFree, flowSlots;  // place of the first one in its ring, number of free slots, size of the ring
    uint smokeFirst, smokeFree, smokeSlots;
    uint flowWanted[WISP_RANKS], smokeWanted[WISP_RANKS];
};

// Sums that no field holds, in parts of density times scalar cells. Integers: the order of additions does not matter.
#define WISP_LOSS_PARTS 65536.0  // of a density of 1
struct BrickLosses {
    uint droppedLow, droppedHigh;  // smoke in bricks that were closed
};

#ifdef __cplusplus
WISP_MEMBERS(BrickList, commands, size, kept, opened, halo, closing, taken, left, refused, reach)
WISP_MEMBERS(BrickSlots, flow, smoke)
WISP_MEMBERS(ListedBrick, place, neighbours, slots)
WISP_MEMBERS(SeedBox, first, last)
WISP_MEMBERS(BrickSmoke, box, most, reach)
WISP_MEMBERS(FreeSlots, flowFirst, flowFree, flowSlots, smokeFirst, smokeFree, smokeSlots, flowWanted, smokeWanted)
WISP_MEMBERS(BrickLosses, droppedLow, droppedHigh)
}  // namespace wisp::gpu
#endif
#endif
