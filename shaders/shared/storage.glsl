// SPDX-License-Identifier: MIT
// Where the fields of the fine grid are stored. A dense simulation stores texel c of a field at c. A sparse one stores bricks of 16^3 fine
// cells in slots. A slot of an image is a cube of texels, and a slot of a buffer is a range. A brick has a slot for velocity if it is in
// the list, and one for smoke if it is active. The first slots are blank: all bricks that are not stored share them, and nothing writes
// them. Needs shared/grid.glsl.
#ifndef WISP_STORAGE_GLSL
#define WISP_STORAGE_GLSL
#include "shared/brick_list.h"
#include "shared/sampling.glsl"
layout(constant_id = 30) const bool kSparse = false;
layout(constant_id = 31) const bool kManyBricks = false;  // see WISP_SLOT_COLUMNS
layout(binding = 21, scalar) readonly buffer BrickSlotsBlock { BrickSlots brickSlots[]; };

// Slots of brick b. Bricks outside of the box count as the nearest one.
BrickSlots slotsAt(ivec3 b) {
    ivec3 count = (sim.cells >> WISP_BRICK_BITS) + 1;
    return brickSlots[cellIndex(clamp(b, ivec3(0), count - 1), count)];
}
// First texel of a slot with `edge` texels along each axis.
ivec3 cornerOf(uint slot, int edge) {
    const uint row = WISP_SLOTS_X * (kManyBricks ? WISP_SLOT_COLUMNS : 1);
    return edge * ivec3(slot % row, slot / row % WISP_SLOTS_Y, slot / (row * WISP_SLOTS_Y));
}
const int kScalarEdge = WISP_BRICK_EDGE * kScalarRatio;  // of a brick [scalar cells]; a power of two
ivec3 brickOfScalar(ivec3 c) { return c / kScalarEdge; }

#ifdef WISP_NEAR_SLOTS
// In a pass over listed bricks that defines WISP_NEAR_SLOTS, all positions are in the work group's brick or beside it. findSlots, which all
// threads of a group call, loads these bricks' slots.
shared BrickSlots nearSlots[27];
shared ivec3 nearTexels[27], nearScalars[27];  // from a cell or scalar cell to its texel
ivec3 nearOrigin = ivec3(0);
int nearIndex(ivec3 b) {
    ivec3 d = b - nearOrigin;
    return (d.z * 3 + d.y) * 3 + d.x;
}
void findSlots() {
    if (!kSparse) return;
    nearOrigin = listedBrick() - 1;
    const uint threads = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
    for (uint k = gl_LocalInvocationIndex; k < 27u; k += threads) {
        ivec3 b = nearOrigin + ivec3(k % 3u, k / 3u % 3u, k / 9u);
        BrickSlots slots = slotsAt(b);
        nearSlots[k] = slots;
        nearTexels[k] = cornerOf(slots.flow, WISP_BRICK_EDGE + 1) - WISP_BRICK_EDGE * b;
        nearScalars[k] = cornerOf(slots.smoke, kScalarEdge + 1) - kScalarEdge * b;
    }
    barrier();
}
BrickSlots slotsOf(ivec3 b) { return nearSlots[nearIndex(b)]; }
// For cells of the work group's brick.
ivec3 ownTexel(ivec3 c) { return kSparse ? c + nearTexels[13] : c; }
uint ownPlace(ivec3 c) {
    ivec3 l = c & (WISP_BRICK_EDGE - 1);
    return nearSlots[13].flow << 3 * WISP_BRICK_BITS | uint(l.z << 2 * WISP_BRICK_BITS | l.y << WISP_BRICK_BITS | l.x);
}
ivec3 texelOf(ivec3 c) { return kSparse ? c + nearTexels[nearIndex(c >> WISP_BRICK_BITS)] : c; }
ivec3 scalarTexel(ivec3 c) { return kSparse ? c + nearScalars[nearIndex(brickOfScalar(c))] : c; }
#else
BrickSlots slotsOf(ivec3 b) { return slotsAt(b); }
// Texel of fine cell or face texel c in an image, texel of scalar cell c in an image. A slot has a margin of one texel behind its last
// cells, see sampleStoredCells.
ivec3 texelOf(ivec3 c) {
    return kSparse ? cornerOf(slotsOf(c >> WISP_BRICK_BITS).flow, WISP_BRICK_EDGE + 1) + (c & (WISP_BRICK_EDGE - 1)) : c;
}
ivec3 scalarTexel(ivec3 c) {
    return kSparse ? cornerOf(slotsOf(brickOfScalar(c)).smoke, kScalarEdge + 1) + (c & (kScalarEdge - 1)) : c;
}
#endif

// Texel of cell c in an image of a grid with `edge` cells along an edge of a brick, which has no margins, and its index in a buffer. Every
// edge is a power of two.
ivec3 brickTexel(ivec3 c, int edge) { return cornerOf(slotsOf(c / edge).flow, edge) + (c & (edge - 1)); }
uint brickPlace(ivec3 c, int edge) {
    uvec3 l = uvec3(c & (edge - 1));
    return ((slotsOf(c / edge).flow * uint(edge) + l.z) * uint(edge) + l.y) * uint(edge) + l.x;
}
// Index of fine cell c in a buffer.
uint placeOf(ivec3 c) { return kSparse ? brickPlace(c, WISP_BRICK_EDGE) : cellIndex(c, sim.cells); }

// Whether the velocity of fine cell or face texel c is stored, and whether the smoke of scalar cell c is.
bool isStored(ivec3 c) { return !kSparse || slotsOf(c >> WISP_BRICK_BITS).flow >= WISP_BLANK_SLOTS; }
bool isSmokeStored(ivec3 c) { return !kSparse || slotsOf(brickOfScalar(c)).smoke >= WISP_BLANK_SLOTS; }
// Whether cell c of a grid whose cells have `edge` fine cells is in an active brick.
bool isActive(ivec3 c, int edge) { return slotsOf(c * edge >> WISP_BRICK_BITS).smoke >= WISP_BLANK_SLOTS; }

// The texels of a trilinear sample may lie in up to eight slots. It is then a sum over the bricks, each with a sample that touches no other
// brick. Fields whose margins are current (see slot_margins.comp) need only one: sampleStoredCells.
struct Footprint {
    ivec3 brick;
    vec3 local;     // coordinate in the brick [texels]
    vec3 share;     // of the next brick along each axis that is crossed
    bvec3 crosses;
    int edge;       // of a brick [texels]
};

// `size`: of the field in a dense simulation.
Footprint footprintAt(vec3 texel, ivec3 size, int edge) {
    vec3 t = clamp(texel, vec3(0.5), vec3(size) - 0.5);
    ivec3 low = ivec3(floor(t - 0.5)), brick = low / edge;
    bvec3 crosses = equal(low - brick * edge, ivec3(edge - 1));
    for (int axis = 0; axis < 3; ++axis) crosses[axis] = crosses[axis] && low[axis] + 1 < size[axis];
    return Footprint(brick, t - vec3(brick * edge), t - 0.5 - vec3(low), crosses, edge);
}
int partsOf(Footprint f) { return (f.crosses.x ? 2 : 1) * (f.crosses.y ? 2 : 1) * (f.crosses.z ? 2 : 1); }
// Sample of part n: coordinate in its slot [texels], brick, weight.
vec3 partOf(Footprint f, int n, out ivec3 brick, out float weight) {
    vec3 local = f.local;
    brick = f.brick;
    weight = 1.0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!f.crosses[axis]) continue;
        bool next = (n & 1) != 0;
        n >>= 1;
        brick[axis] += next ? 1 : 0;
        local[axis] = next ? 0.5 : float(f.edge) - 0.5;
        weight *= next ? f.share[axis] : 1.0 - f.share[axis];
    }
    return local;
}
// Coordinates at which samplers read part of a footprint, of a field of smoke or on the fine grid.
vec3 partPoint(ivec3 brick, vec3 local, int edge, const bool isSmoke) {
    BrickSlots slots = slotsOf(brick);
    return (vec3(cornerOf(isSmoke ? slots.smoke : slots.flow, edge + 1)) + local) * (isSmoke ? sim.perSmokeTexel : sim.perFlowTexel);
}

vec4 sampleParts(sampler3D field, vec3 texel, ivec3 size, const bool isSmoke) {
    Footprint f = footprintAt(texel, size, isSmoke ? kScalarEdge : WISP_BRICK_EDGE);
    vec4 sum = vec4(0.0);
    for (int n = 0; n < partsOf(f); ++n) {
        ivec3 brick;
        float weight;
        vec3 local = partOf(f, n, brick, weight);
        sum += weight * textureLod(field, partPoint(brick, local, f.edge, isSmoke), 0.0);
    }
    return sum;
}

// Filters with full float weights, see sampleExactly.
vec4 samplePartsExactly(sampler3D field, vec3 texel, ivec3 size, const bool isSmoke) {
    vec3 t = texel - 0.5;
    ivec3 base = ivec3(floor(t));
    vec3 f = t - vec3(base);
    vec4 sum = vec4(0.0);
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2), c = inGrid(base + o, size);
        vec3 w = mix(vec3(1.0) - f, f, vec3(o));
        sum += w.x * w.y * w.z * texelFetch(field, isSmoke ? scalarTexel(c) : texelOf(c), 0);
    }
    return sum;
}
vec4 sampleSlots(sampler3D field, vec3 texel, ivec3 size, const bool isSmoke) {
    return kExactFilter ? samplePartsExactly(field, texel, size, isSmoke) : sampleParts(field, texel, size, isSmoke);
}

// Trilinear samples of a field at fine cells, on fine faces, and at scalar cells, at a continuous texel coordinate.
vec4 sampleCells(sampler3D field, vec3 texel) {
    return kSparse ? sampleSlots(field, texel, sim.cells, false) : sampleLinear(field, texel, sim.perCell);
}
vec4 sampleFaces(sampler3D field, vec3 texel) {
    return kSparse ? sampleSlots(field, texel, sim.cells + 1, false) : sampleLinear(field, texel, sim.perFace);
}
vec4 sampleScalars(sampler3D field, vec3 texel) {
    return kSparse ? sampleSlots(field, texel, sim.scalarCells, true) : sampleLinear(field, texel, sim.perScalar);
}

// Coordinates at which samplers read such a field, of `size` in a dense simulation.
vec3 flowPoint(vec3 texel, ivec3 size) {
    vec3 t = clamp(texel, vec3(0.5), vec3(size) - 0.5);
    ivec3 low = ivec3(t - 0.5);
    return (t + vec3(texelOf(low) - low)) * sim.perFlowTexel;
}
// A slot of smoke that most of many samples around one texel coordinate read.
struct SmokeSlot {
    ivec3 cell;    // a scalar cell in it
    ivec3 offset;  // from its scalar cells to their texels
};
ivec3 lowestCell(vec3 texel) { return ivec3(clamp(texel, vec3(0.5), vec3(sim.scalarCells) - 0.5) - 0.5); }  // of the sample's eight
SmokeSlot smokeSlotAt(vec3 texel) {
    if (!kSparse) return SmokeSlot(ivec3(0), ivec3(0));
    ivec3 c = lowestCell(texel);
    return SmokeSlot(c, scalarTexel(c) - c);
}
vec3 smokePoint(vec3 texel, SmokeSlot slot) {
    ivec3 low = lowestCell(texel);
    bool isElsewhere = any(greaterThanEqual(low ^ slot.cell, ivec3(kScalarEdge)));  // a bit of the brick differs
    if (isElsewhere) slot.offset = scalarTexel(low) - low;
    return (clamp(texel, vec3(0.5), vec3(sim.scalarCells) - 0.5) + vec3(slot.offset)) * sim.perSmokeTexel;
}
vec3 smokePoint(vec3 texel) { return smokePoint(texel, smokeSlotAt(texel)); }
// The same samples as above, if the margins of the field are current.
vec4 sampleStoredCells(sampler3D field, vec3 texel) {
    if (!kSparse || kExactFilter) return sampleCells(field, texel);
    return textureLod(field, flowPoint(texel, sim.cells), 0.0);
}
vec4 sampleStoredFaces(sampler3D field, vec3 texel) {
    if (!kSparse || kExactFilter) return sampleFaces(field, texel);
    return textureLod(field, flowPoint(texel, sim.cells + 1), 0.0);
}
vec4 sampleStoredScalars(sampler3D field, vec3 texel, SmokeSlot slot) {
    if (!kSparse || kExactFilter) return sampleScalars(field, texel);
    return textureLod(field, smokePoint(texel, slot), 0.0);
}
vec4 sampleStoredScalars(sampler3D field, vec3 texel) { return sampleStoredScalars(field, texel, smokeSlotAt(texel)); }
#endif
