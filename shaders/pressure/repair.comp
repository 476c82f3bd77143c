#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_ADDRESSES VectorsOut centreVectorsAddress;
#include "shared/blocks.glsl"
#include "shared/pieces.glsl"
#include "shared/expansion.glsl"
#include "shared/solid_velocity.glsl"
layout(local_size_x = 64) in;
// Updates blocks that are not clear (see project.comp), in place. Closed faces take the velocity of the solid. Inner faces start from the
// mean of the two faces beside them. Then the block's own divergence is removed while its outer faces stay (Lentine, Zheng, Fedkiw 2010,
// step 4): sum_f alpha_f (psi_i - psi_j) = mean - h div_i over the inner faces, with one mean for each connected component of the fluid.
// Conjugate gradients solve this within eight iterations, because there are eight unknowns. One thread per cell, eight threads per block.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) readonly buffer OpenFaces { uint openFaces[]; };  // see open_faces.comp
layout(binding = 3) uniform sampler3D velocityIn;
layout(binding = 4) uniform writeonly image3D velocityOut;
VECTORS_OUT(8, centreVectors);
layout(binding = 5) uniform writeonly image3D centreOut;    // at cell centres, on the finest grid only
layout(binding = 6) uniform sampler3D solidOutflow;  // the velocity before the projection; w: see shared/expansion.glsl

// In a sparse simulation, when bricks are filled (see project.comp), active blocks keep their velocity, unless their brick was just opened.
// Where such a brick is not filled, nothing changes: the result depends on the outer faces of a block alone.
layout(constant_id = 26) const bool kFills = false;
layout(constant_id = 27) const bool kWritesCentres = true;
layout(binding = 22, scalar) readonly buffer BrickStates { uint brickStates[]; };
bool isFilled(ivec3 C) {
    ivec3 b = C * 2 * level.fineCells / WISP_BRICK_EDGE, count = sim.cells / WISP_BRICK_EDGE + 1;
    const uint kept = WISP_IS_ACTIVE | WISP_WAS_ACTIVE;
    return !outside(b, count) && (brickStates[cellIndex(b, count)] & kept) != kept;
}

const int kThreads = 64;
// Values that threads exchange. Each step has its own array, so that no thread overwrites a value that another thread still reads.
shared vec3 outerFaces[kThreads];
shared int sets[kThreads];
shared float sides[kThreads], directions[kThreads], gains[kThreads];
shared vec2 products[kThreads];
shared int newestRound;  // newest round in which a block still iterates; below 0: no block of the group needs any
int self = int(gl_LocalInvocationIndex), n = self & 7, block = self & ~7;  // n: index of the cell in its block

// Velocities and apertures of the faces of this thread's cell, and its outflow that solids cause.
struct Faces {
    vec3 low, high, alphaLow, alphaHigh;
    float solid;  // less the outflow that expansion causes
    float w;      // of the velocity before the projection
};

void loadFace(ivec3 f, int axis, out float alpha, out float u, inout float solid, float sign) {
    alpha = u = 0.0;
    if (!faceOf(f, axis)) return;
    alpha = texelFetch(aperture, levelTexel(f), 0)[axis];
    if (alpha > 0.0) u = texelFetch(velocityIn, levelTexel(f), 0)[axis];
    if (alpha == 1.0 || level.fineCells > 1) return;
    float us = solidVelocityAt(f, axis);
    solid += sign * (1.0 - alpha) * us;
    if (alpha == 0.0) u = us;
}

Faces load(ivec3 c) {
    Faces b;
    b.low = b.high = b.alphaLow = b.alphaHigh = vec3(0.0);
    b.w = 0.0;
    if (level.fineCells > 1 || (kExpands && !kFills)) b.w = texelFetch(solidOutflow, levelTexel(inLayer(min(c, level.cells))), 0).w;
    b.solid = level.fineCells > 1 ? b.w : -sim.h * b.w;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        loadFace(c, axis, b.alphaLow[axis], b.low[axis], b.solid, -1.0);
        loadFace(c + unit(axis), axis, b.alphaHigh[axis], b.high[axis], b.solid, 1.0);
    }
    return b;
}

bvec3 isUpper() { return bvec3(n & 1, n & 2, n & 4); }  // the inner faces of an upper cell are its low faces
int across(int axis) { return self ^ 1 << axis; }       // the cell across the inner face

// Inner faces: open ones start from the mean of the outer faces in line with them.
void startInside(ivec3 first, inout Faces b) {
    outerFaces[self] = mix(b.low, b.high, isUpper());
    barrier();
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        bool upper = isUpper()[axis];
        float alpha = upper ? b.alphaLow[axis] : b.alphaHigh[axis];
        if (first[axis] + 1 >= level.cells[axis] || alpha == 0.0) continue;
        float mean = 0.5 * (outerFaces[self][axis] + outerFaces[across(axis)][axis]);
        if (upper) b.low[axis] = mean;
        else b.high[axis] = mean;
    }
}

// Sum over the inner faces of the cell, with aperture alpha: alpha (x_n - x_m).
float laplacian(vec3 alpha, float x) {
    float sum = 0.0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) sum += alpha[axis] * (x - directions[across(axis)]);
    return sum;
}

// Sum over the cells of a block.
float sumOfGains(float own) {
    gains[self] = own;
    barrier();
    float sum = 0.0;
    [[unroll]] for (int k = 0; k < 8; ++k) sum += gains[block + k];
    return sum;
}

// Solves laplacian(psi) = r by conjugate gradients with the diagonal as preconditioner. Also leaves psi in `directions`.
float solve(vec3 alpha, float r) {
    float diagonal = alpha.x + alpha.y + alpha.z, inverse = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
    float psi = 0.0, p = inverse * r, rz = sumOfGains(r * p), tolerance = max(1e-13 * rz, 1e-30);
    bool iterates = rz > tolerance;
    for (int round = 0; round < 8; ++round) {
        if (iterates) newestRound = round;
        directions[self] = p;
        barrier();
        if (newestRound != round) break;
        float Ap = laplacian(alpha, p);
        products[self] = p * vec2(Ap, p);
        barrier();
        vec2 sums = vec2(0.0);
        [[unroll]] for (int k = 0; k < 8; ++k) sums += products[block + k];
        if (sums.x < 1e-5 * sums.y) iterates = false;  // only rounding errors are left, along which the solution is undetermined
        float stepLength = iterates ? rz / sums.x : 0.0;
        psi += stepLength * p;
        r -= stepLength * Ap;
        float z = inverse * r, next = sumOfGains(r * z);
        if (!iterates) continue;
        p = z + next / rz * p;
        rz = next;
        iterates = rz > tolerance;
    }
    directions[self] = psi;
    barrier();
    return psi;
}

// Subtracts the mean over the cell's connected component of the block's fluid. Inner faces with apertures alpha connect the cells.
float withoutMean(float side, bool isFluid, vec3 alpha) {
    int own = isFluid ? 1 << n : 0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) own |= alpha[axis] > 0.0 && !isUpper()[axis] ? 1 << (8 * axis + 8 + n) : 0;
    sets[self] = own;
    sides[self] = side;
    barrier();
    int all = 0;
    [[unroll]] for (int k = 0; k < 8; ++k) all |= sets[block + k];
    int piece = pieceOf(n, ivec3(all >> 8, all >> 16, all >> 24) & 255);
    float mean = 0.0;
    [[unroll]] for (int k = 0; k < 8; ++k) mean += (piece >> k & 1) != 0 ? sides[block + k] : 0.0;
    return side - mean / float(bitCount(piece));
}

void main() {
    ivec3 C = level.first + cell() / ivec3(8, 1, 1), first = 2 * C, c = first + corner(n);
    bool needsRepair = !outside(first, level.cells + 1) && (outside(C, blocks()) || !isClearBlock(openFaces[faceIndex(C)]));
    if (kSparse) needsRepair = needsRepair && isStored(min(2 * level.fineCells * C, sim.cells));
    if (kFills && level.fineCells == 1) needsRepair = needsRepair && isFilled(C);
    if (self == 0) newestRound = -1;
    barrier();
    if (needsRepair) newestRound = 8;
    barrier();
    if (newestRound < 0) return;
    Faces b = Faces(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), 0.0, 0.0);
    if (needsRepair) b = load(c);
    startInside(first, b);
    bool isFluid = !outside(c, level.cells) && dot(b.alphaLow + b.alphaHigh, vec3(1.0)) > 0.0;
    vec3 alpha = mix(b.alphaHigh, b.alphaLow, isUpper());  // of the inner faces
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (outside(c | unit(axis), level.cells)) alpha[axis] = 0.0;
    }
    float outflow = b.solid + dot(b.alphaHigh * b.high - b.alphaLow * b.low, vec3(1.0));
    float psi = solve(alpha, withoutMean(isFluid ? -outflow : 0.0, isFluid, alpha));
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        float beyond = directions[across(axis)];
        if (alpha[axis] == 0.0) continue;
        if (isUpper()[axis]) b.low[axis] -= psi - beyond;
        else b.high[axis] -= beyond - psi;
    }
    if (!needsRepair) return;
    float D = kExpands && level.fineCells == 1 ? b.w : 0.0;
    if (!outside(c, level.cells + 1)) imageStore(velocityOut, levelTexel(c), stored(vec4(b.low, D)));
    if (kWritesCentres && level.fineCells == 1 && !outside(c, level.cells)) {
        imageStore(centreOut, texelOf(c), stored(vec4(0.5 * (b.low + b.high), 0.0)));
        STORE(centreVectors, placeOf(c), vec4(0.5 * (b.low + b.high), 0.0))
    }
}
