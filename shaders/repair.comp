#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_ADDRESSES VectorsOut centreVectorsAddress;
#include "shared/blocks.glsl"
#include "shared/pieces.glsl"
#include "shared/solid_velocity.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
// Blocks that are not clear (see project.comp), in place: closed faces carry the solid's velocity, inner faces start from the
// mean of the two beside them, and lose the block's own divergence while its outer faces stay (Lentine, Zheng, Fedkiw 2010,
// step 4): sum_f alpha_f (psi_i - psi_j) = mean - h div_i over the inner faces, one mean for each connected piece of fluid,
// by conjugate gradients, which end within eight rounds on eight unknowns.
layout(binding = 1) uniform sampler3D openness;
layout(binding = 2, scalar) readonly buffer OpenFaces { uint openFaces[]; };  // see open_faces.comp
layout(binding = 3) uniform sampler3D velocityIn;
layout(binding = 4) uniform writeonly image3D velocityOut;
VECTORS_OUT(8, centreVectors);
layout(binding = 5) uniform writeonly image3D centreOut;    // at cell centres, on the finest grid only
layout(binding = 6) uniform sampler3D solidOutflow;          // w, on grids between: what solids push out of a cell [m/s]

// A block's cells: velocities of their faces, and what flows out of them between the solids.
struct Block {
    vec3 low[8], high[8], alphaLow[8], alphaHigh[8];
    float solid[8];
};

void loadFace(ivec3 f, int axis, out float alpha, out float u, inout float solid, float sign) {
    alpha = u = 0.0;
    if (!faceOf(f, axis)) return;
    alpha = texelFetch(openness, f, 0)[axis];
    if (alpha > 0.0) u = texelFetch(velocityIn, f, 0)[axis];
    if (alpha == 1.0 || level.fineCells > 1) return;
    float us = solidVelocityAt(f, axis);
    solid += sign * (1.0 - alpha) * us;
    if (alpha == 0.0) u = us;
}

void load(ivec3 first, out Block b) {
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = first + corner(n);
        b.solid[n] = level.fineCells > 1 ? texelFetch(solidOutflow, min(c, level.cells), 0).w : 0.0;
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            loadFace(c, axis, b.alphaLow[n][axis], b.low[n][axis], b.solid[n], -1.0);
            loadFace(c + unit(axis), axis, b.alphaHigh[n][axis], b.high[n][axis], b.solid[n], 1.0);
        }
    }
}

// Inner faces: open ones take the mean of the outer faces in line with them.
void startInside(ivec3 first, inout Block b) {
    [[unroll]] for (int n = 0; n < 8; ++n) {
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            int bit = 1 << axis;
            if ((n & bit) == 0) continue;
            bool inner = first[axis] + 1 < level.cells[axis];
            if (inner && b.alphaLow[n][axis] > 0.0) b.low[n][axis] = 0.5 * (b.low[n ^ bit][axis] + b.high[n][axis]);
            b.high[n ^ bit][axis] = b.low[n][axis];
        }
    }
}

// Minus h times each cell's divergence, without the mean of its piece.
void rightHandSide(Block b, ivec3 inner, int fluid, out float r[8]) {
    [[unroll]] for (int n = 0; n < 8; ++n) {
        float outflow = b.solid[n] + dot(b.alphaHigh[n] * b.high[n] - b.alphaLow[n] * b.low[n], vec3(1.0));
        r[n] = (fluid >> n & 1) != 0 ? -outflow : 0.0;
    }
    for (int left = fluid; left != 0;) {
        int piece = pieceOf(findLSB(left), inner);
        float mean = 0.0;
        [[unroll]] for (int n = 0; n < 8; ++n) mean += (piece >> n & 1) != 0 ? r[n] : 0.0;
        mean /= float(bitCount(piece));
        [[unroll]] for (int n = 0; n < 8; ++n) r[n] -= (piece >> n & 1) != 0 ? mean : 0.0;
        left &= ~piece;
    }
}

// Sum over the inner faces of cell n, of open share alpha: alpha (x_n - x_m); `alpha` is 0 on other faces.
float laplacian(vec3 alpha[8], float x[8], int n) {
    float sum = 0.0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) sum += alpha[n | (1 << axis)][axis] * (x[n] - x[n ^ (1 << axis)]);
    return sum;
}

float product(float a[8], float b[8]) {
    float sum = 0.0;
    [[unroll]] for (int n = 0; n < 8; ++n) sum += a[n] * b[n];
    return sum;
}

// Solves laplacian(psi) = r by conjugate gradients with the diagonal as preconditioner.
void solve(vec3 alpha[8], float r[8], out float psi[8]) {
    float inverse[8], z[8], p[8], Ap[8];
    [[unroll]] for (int n = 0; n < 8; ++n) {
        float diagonal = alpha[n | 1].x + alpha[n | 2].y + alpha[n | 4].z;
        inverse[n] = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
        psi[n] = 0.0;
        p[n] = inverse[n] * r[n];
    }
    float rz = product(r, p), enough = max(1e-13 * rz, 1e-30);
    for (int round = 0; round < 8 && rz > enough; ++round) {
        [[unroll]] for (int n = 0; n < 8; ++n) Ap[n] = laplacian(alpha, p, n);
        float pAp = product(p, Ap);
        if (pAp < 1e-5 * product(p, p)) break;  // only rounding is left, along which the solution is free
        [[unroll]] for (int n = 0; n < 8; ++n) {
            psi[n] += rz / pAp * p[n];
            r[n] -= rz / pAp * Ap[n];
            z[n] = inverse[n] * r[n];
        }
        float next = product(r, z);
        [[unroll]] for (int n = 0; n < 8; ++n) p[n] = z[n] + next / rz * p[n];
        rz = next;
    }
}

void main() {
    ivec3 C = level.first + cell(), first = 2 * C;
    if (outside(first, level.cells + 1)) return;
    if (!outside(C, blocks()) && isClearBlock(openFaces[faceIndex(C)])) return;
    Block b;
    load(first, b);
    startInside(first, b);
    vec3 alpha[8];  // of inner faces, at the cell above each
    ivec3 inner = ivec3(0);
    int fluid = 0;
    [[unroll]] for (int n = 0; n < 8; ++n) {
        bool isCell = !outside(first + corner(n), level.cells);
        if (isCell && dot(b.alphaLow[n] + b.alphaHigh[n], vec3(1.0)) > 0.0) fluid |= 1 << n;
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            alpha[n][axis] = isCell && (n & 1 << axis) != 0 ? b.alphaLow[n][axis] : 0.0;
            if (alpha[n][axis] > 0.0) inner[axis] |= 1 << (n ^ 1 << axis);
        }
    }
    float r[8], psi[8];
    rightHandSide(b, inner, fluid, r);
    solve(alpha, r, psi);
    [[unroll]] for (int n = 0; n < 8; ++n) {
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            if (alpha[n][axis] == 0.0) continue;
            b.low[n][axis] -= psi[n] - psi[n ^ 1 << axis];
            b.high[n ^ 1 << axis][axis] = b.low[n][axis];
        }
    }
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = first + corner(n);
        if (!outside(c, level.cells + 1)) imageStore(velocityOut, c, stored(vec4(b.low[n], 0.0)));
        if (level.fineCells == 1 && !outside(c, level.cells)) {
            imageStore(centreOut, c, stored(vec4(0.5 * (b.low[n] + b.high[n]), 0.0)));
            STORE(centreVectors, placeOf(c, level.cells), vec4(0.5 * (b.low[n] + b.high[n]), 0.0))
        }
    }
}
