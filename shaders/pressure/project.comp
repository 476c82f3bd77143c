#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
layout(local_size_x = 8, local_size_x_id = 28, local_size_y = 4, local_size_z = 4, local_size_z_id = 17) in;
#define WISP_ADDRESSES VectorsOut centreVectorsAddress;
#include "shared/blocks.glsl"
#include "shared/branches.glsl"
#include "shared/expansion.glsl"
// Adds the coarse correction to the fine velocity, so that fine detail survives (Lentine, Zheng, Fedkiw 2010, eq. 14), or the share `keep`
// of it. The rest relaxes to the coarse velocity. One thread per block. In a clear block, an inner face gets keep u and the mean of the
// corrections of the two faces beside it, or the mean of their new velocities if one of the two coarse faces is not fully open. Then the
// block's own divergence is removed (step 4 of that paper), but what expansion causes stays. The Laplacian of its eight
// cells is diagonal in the Walsh basis, with eigenvalue 2 for each change of sign, so the solve is one transform, a scaling, and the
// inverse transform. repair.comp computes the inner faces of other blocks, and closed faces.
layout(binding = 1, scalar) readonly buffer OpenFaces { uint openFaces[]; };  // see open_faces.comp
layout(binding = 2) uniform sampler3D changesX;  // [m/s], on coarse faces, see correction_changes.comp
layout(binding = 3) uniform sampler3D changesY;
layout(binding = 6) uniform sampler3D changesZ;
layout(binding = 7) uniform sampler3D velocityIn;  // [m/s], on fine faces
layout(binding = 4) uniform writeonly image3D velocityOut;
VECTORS_OUT(8, centreVectors);
layout(binding = 5) uniform writeonly image3D centreOut;  // at cell centres, on the finest grid only

// Bricks that have no fine velocity of their own get the upsampled coarse velocity: `correction` is then that velocity, and the velocity
// before is not read. The result is P(u_H) in docs/passes/sparse.md.
layout(constant_id = 26) const bool kFills = false;
layout(constant_id = 27) const bool kWritesCentres = true;
float kept(float before) { return kFills ? 0.0 : level.keep * before; }

// Whether the low face of block C is fully open.
bool openBelow(ivec3 C, int axis) { return (openFaces[faceIndex(C)] >> axis & 1u) != 0u; }

vec4 changesAt(ivec3 C, int axis) {
    ivec3 texel = blockTexel(C);
    return axis == 0 ? texelFetch(changesX, texel, 0) : axis == 1 ? texelFetch(changesY, texel, 0) : texelFetch(changesZ, texel, 0);
}

void walsh(inout float a[8]) {
    [[unroll]] for (int s = 1; s < 8; s <<= 1) {
        [[unroll]] for (int i = 0; i < 8; ++i) {
            if ((i & s) != 0) continue;
            float x = a[i], y = a[i | s];
            a[i] = x + y;
            a[i | s] = x - y;
        }
    }
}

// Subtracts from the inner faces the gradient of the potential that makes the divergences of all cells equal, except for the outflow [m/s]
// that they must have.
void removeOwnDivergence(inout vec3 low[8], inout vec3 high[8], float outflow[8]) {
    float psi[8];  // potential over h, from h * divergence
    [[unroll]] for (int n = 0; n < 8; ++n) psi[n] = dot(high[n] - low[n], vec3(1.0)) - (kExpands ? outflow[n] : 0.0);
    walsh(psi);
    psi[0] = 0.0;  // the coarse solve removes the mean divergence of the block
    [[unroll]] for (int n = 1; n < 8; ++n) psi[n] /= -8.0 * 2.0 * float((n & 1) + ((n >> 1) & 1) + (n >> 2));
    walsh(psi);
    [[unroll]] for (int n = 0; n < 8; ++n) {
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            int bit = 1 << axis;
            if ((n & bit) == 0) continue;
            low[n][axis] -= psi[n] - psi[n ^ bit];
            high[n ^ bit][axis] = low[n][axis];
        }
    }
}

// Blocks write a cell every second texel. The exchange through shared memory lets neighbouring threads write neighbouring texels. It moves
// one component at a time, because devices run only few groups at once if these use much shared memory.
ivec3 group() { return kSparse ? groupSize : ivec3(8, 4, kFlat ? 1 : 4); }  // blocks
shared float tile[8 * 128];

// CPU devices gain nothing from the exchange.
bool exchanges() { return !kBranchless && (kUnit == 0 || isWholeGroups()); }
int stagedIndex(int k) { return k * group().x * group().y * group().z + int(gl_LocalInvocationIndex); }
ivec3 stagedCell(ivec3 C, int k) {
    if (!exchanges()) return 2 * C + corner(k);
    int i = stagedIndex(k);
    ivec3 size = 2 * group();
    return 2 * (C - ivec3(gl_LocalInvocationID)) + ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
}

// Exchanges the cells of the thread's block for the cells stagedCell(C, 0) to stagedCell(C, 7).
void stage(inout float v[8]) {
    barrier();
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = 2 * ivec3(gl_LocalInvocationID) + corner(n);
        tile[(c.z * 2 * group().y + c.y) * 2 * group().x + c.x] = v[n];
    }
    barrier();
    [[unroll]] for (int n = 0; n < 8; ++n) v[n] = tile[stagedIndex(n)];
}
void stage(inout vec3 u[8]) {
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        float v[8];
        [[unroll]] for (int n = 0; n < 8; ++n) v[n] = u[n][axis];
        stage(v);
        [[unroll]] for (int n = 0; n < 8; ++n) u[n][axis] = v[n];
    }
}

// 0 where texel c, past the last cells, has no face of an axis.
vec3 existing(vec3 u, ivec3 c) {
    if (all(lessThan(c, level.cells))) return u;
    return vec3(faceOf(c, 0) ? u.x : 0.0, faceOf(c, 1) ? u.y : 0.0, faceOf(c, 2) ? u.z : 0.0);
}

void compute(ivec3 C) {
    if (kPart >= 0 && C == kNowhere) return;
    ivec3 first = 2 * C;
    ivec3 texels = levelTexel(first);  // of the cells of the block, which are in one brick
    bool isClear = !outside(C, blocks()) && isClearBlock(openFaces[faceIndex(C)]);
    vec3 low[8], high[8];  // velocities of the cells' low and high faces
    float expands[8];      // w of the cells' velocities
    [[unroll]] for (int n = 0; n < 8; ++n) {
        vec4 u = kFills ? vec4(0.0) : texelFetch(velocityIn, kSparse ? texels + corner(n) : min(cellOfBlock(C, n), level.cells), 0);
        low[n] = u.xyz;
        high[n] = vec3(0.0);
        expands[n] = u.w;
    }
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (kFlat && axis == 2) {  // there is no flow along z
            [[unroll]] for (int n = 0; n < 8; ++n) low[n].z = 0.0;
            continue;
        }
        const int bit = 1 << axis, s = (axis + 1) % 3, t = (axis + 2) % 3;
        ivec3 U = min(C + unit(axis), blocks());
        bool cut = first[axis] + 1 == level.cells[axis], open = openBelow(min(C, blocks()), axis), upOpen = openBelow(U, axis);
        vec4 here = changesAt(min(C, blocks()), axis), up = changesAt(U, axis);
        ivec3 upTexels = levelTexel(first + 2 * unit(axis));
        [[unroll]] for (int n = 0; n < 8; ++n) {
            if ((n & bit) != 0) continue;
            float ds = (n >> s & 1) == 0 ? -1.0 : 1.0, dt = (n >> t & 1) == 0 ? -1.0 : 1.0;
            vec4 place = vec4(1.0, ds, dt, ds * dt);
            float c = dot(here, place), cUp = dot(up, place);
            float newLow = open ? kept(low[n][axis]) + c : c;
            if (isClear) {
                ivec3 upTexel = kSparse ? upTexels + corner(n) : cellOfBlock(C, n) + 2 * unit(axis);
                float newHigh = kFills ? 0.0 : texelFetch(velocityIn, upTexel, 0)[axis];
                newHigh = upOpen ? kept(newHigh) + cUp : cUp;
                low[n | bit][axis] = open && upOpen ? kept(low[n | bit][axis]) + 0.5 * (c + cUp) : 0.5 * (newLow + newHigh);
                high[n | bit][axis] = newHigh;
                high[n][axis] = low[n | bit][axis];
            } else if (cut) {  // the box ends between the cells of the block
                low[n | bit][axis] = upOpen ? kept(low[n | bit][axis]) + cUp : cUp;
            }
            low[n][axis] = newLow;
        }
    }
    float outflow[8];
    [[unroll]] for (int n = 0; n < 8; ++n) outflow[n] = level.fineCells == 1 ? sim.h * expands[n] : -expands[n];
    if (isClear) removeOwnDivergence(low, high, outflow);
    [[unroll]] for (int n = 0; n < 8; ++n) high[n] = 0.5 * (low[n] + high[n]);
    ivec3 toTexel = kSparse ? texels - first : ivec3(0);  // from a cell of the work group
    if (exchanges()) stage(low);
    if (exchanges() && kExpands) stage(expands);
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = stagedCell(C, n);
        float D = kExpands && level.fineCells == 1 && !outside(c, level.cells) ? expands[n] : 0.0;
        if (!outside(c, level.cells + 1)) imageStore(velocityOut, c + toTexel, stored(vec4(existing(low[n], c), D)));
    }
    if (level.fineCells > 1 || !kWritesCentres) return;
    // repair.comp overwrites the values that blocks which are not clear stage here.
    if (exchanges()) stage(high);
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = stagedCell(C, n);
        if (outside(c, level.cells)) continue;
        imageStore(centreOut, c + toTexel, stored(vec4(high[n], 0.0)));
        STORE(centreVectors, kSparse ? ownPlace(c) : cellIndex(c, sim.cells), vec4(high[n], 0.0))
    }
}
#include "shared/each_cell.glsl"
