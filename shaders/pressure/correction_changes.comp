#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
// 14 % faster than 8x8x4 on an H200
layout(local_size_x = 16, local_size_x_id = 28, local_size_y = 4, local_size_z = 4, local_size_z_id = 17) in;
#include "shared/blocks.glsl"
// The correction on each coarse face as a bilinear function: (value, change along s, change along t, twist), where s and t are the two axes
// after the axis of the face. The last three are changes over half a finer cell. The function preserves the mean over the face, and
// velocity and vorticity become second order. Without the changes the vorticity does not converge. Without the twist it is first order.
layout(binding = 1, scalar) readonly buffer OpenFaces { uint openFaces[]; };
layout(binding = 6, scalar) readonly buffer SmoothFaces { uint smoothFaces[]; };
layout(binding = 2, scalar) readonly buffer Correction { float correction[]; };  // [m/s], see pressure_gradient.comp
layout(binding = 3) uniform writeonly image3D changesX;
layout(binding = 4) uniform writeonly image3D changesY;
layout(binding = 5) uniform writeonly image3D changesZ;

// In a sparse simulation, bricks are filled with the upsampled coarse velocity (see project.comp): it takes the place of the correction.
layout(constant_id = 26) const bool kFills = false;
layout(binding = 7) uniform sampler3D coarseFaces;  // [m/s]

// Whether the face exists and is fully open, so that its correction varies like those of its neighbours.
bool usable(ivec3 C, int axis) {
    return !outside(C, blocks() + unit(axis)) && (openFaces[faceIndex(C)] >> axis & 1u) != 0u;
}
float storedValue(ivec3 C, int axis) {
    return kFills ? texelFetch(coarseFaces, blockTexel(C), 0)[axis] : correction[blockCorrectionIndex(C, axis)];
}

vec3 correctionsAt(ivec3 C) {
    if (!blocksInSlots()) return vec3(storedValue(C, 0), storedValue(C, 1), storedValue(C, 2));
    int i = blockCorrectionIndex(C, 0);
    return vec3(correction[i], correction[i + 1], correction[i + 2]);
}

// To find a value in the slots takes longer than to read it. There, a work group first loads the values of its blocks, and around them.
const bool kLoads = kSparse && kRatio > 2;
const int kLoadedBlocks = kLoads ? (8 + 2) * (4 + 2) * (8 + 2) : 1;  // of the largest group
shared float loaded[3 * kLoadedBlocks];
int loadedIndex(ivec3 l) {  // of the block at l in the group
    ivec3 size = groupSize + 2;
    return ((l.z + 1) * size.y + l.y + 1) * size.x + l.x + 1;
}
void loadValues(ivec3 C) {
    ivec3 size = groupSize + 2, first = C - ivec3(gl_LocalInvocationID) - 1;
    if (kRounds > 1) barrier();  // other threads may still read those of the round before
    for (int n = int(gl_LocalInvocationIndex); n < size.x * size.y * size.z; n += groupSize.x * groupSize.y * groupSize.z) {
        ivec3 N = clamp(first + ivec3(n % size.x, n / size.x % size.y, n / (size.x * size.y)), ivec3(0), blocks());
        vec3 values = kFills ? texelFetch(coarseFaces, blockTexel(N), 0).xyz : correctionsAt(N);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) loaded[axis * kLoadedBlocks + n] = values[axis];
    }
    barrier();
}

float loadedValue(ivec3 offset, int axis) { return loaded[axis * kLoadedBlocks + loadedIndex(ivec3(gl_LocalInvocationID) + offset)]; }

float valueAt(ivec3 C, int axis) { return kLoads ? loadedValue(ivec3(0), axis) : storedValue(C, axis); }
float valueBeside(ivec3 C, ivec3 offset, int axis) {
    return kLoads ? loadedValue(offset, axis) : storedValue(blockBeside(C, offset), axis);
}
bool besideOpenSide(int i, int t) {
    return (i == 0 && sim.sidesLow[t] == WISP_OPEN) || (i + 1 == blocks()[t] && sim.sidesHigh[t] == WISP_OPEN);
}

vec4 smoothChanges(ivec3 C, int axis, float c) {
    const ivec3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
    float twist = valueBeside(C, s + t, axis) - valueBeside(C, s - t, axis) - valueBeside(C, t - s, axis) + valueBeside(C, -s - t, axis);
    return vec4(c, 0.125 * (valueBeside(C, s, axis) - valueBeside(C, -s, axis)),
                0.125 * (valueBeside(C, t, axis) - valueBeside(C, -t, axis)), 0.015625 * twist);
}

vec4 changes(ivec3 C, int axis, float c) {
    if (!usable(wrapped(C, blocks()), axis)) return vec4(c, 0.0, 0.0, 0.0);
    const int s = (axis + 1) % 3, t = (axis + 2) % 3;
    // Beyond walls and solids the correction is mirrored, because the pressure is (there is no flow through them). Beside an open side the
    // correction is odd, and the one-sided difference is as accurate.
    bool use[4];
    float change[4];  // to the neighbours below and above along s, then along t
    [[unroll]] for (int n = 0; n < 4; ++n) {
        ivec3 offset = (2 * (n & 1) - 1) * unit(n < 2 ? s : t);
        use[n] = usable(blockBeside(C, offset), axis);
        change[n] = use[n] ? valueBeside(C, offset, axis) - c : 0.0;
    }
    float twist = 0.0, corners = 0.0;
    [[unroll]] for (int n = 0; n < 4; ++n) {
        int a = n & 1, b = n >> 1;
        ivec3 offset = (2 * a - 1) * unit(s) + (2 * b - 1) * unit(t);
        if (!use[a] || !use[2 + b] || !usable(blockBeside(C, offset), axis)) continue;
        twist += (a == b ? 1.0 : -1.0) * (valueBeside(C, offset, axis) - c - change[a] - change[2 + b]);
        corners += 1.0;
    }
    return vec4(c, (besideOpenSide(C[s], s) ? 0.25 : 0.125) * (change[1] - change[0]),
                (besideOpenSide(C[t], t) ? 0.25 : 0.125) * (change[3] - change[2]), 0.0625 * twist / max(corners, 1.0));
}

void compute(ivec3 C) {
    if (kLoads) loadValues(C);
    if (outside(C, blocks() + 1)) return;
    uint isSmooth = smoothFaces[faceIndex(C)];
    ivec3 texel = blockTexel(C);
    [[unroll]] for (int axis = 0; axis < noUnroll(kFlat ? 2 : 3); ++axis) {
        float c = valueAt(C, axis);
        vec4 value = (isSmooth >> axis & 1u) != 0u ? smoothChanges(C, axis, c) : changes(C, axis, c);
        if (axis == 0) imageStore(changesX, texel, value);
        if (axis == 1) imageStore(changesY, texel, value);
        if (axis == 2) imageStore(changesZ, texel, value);
    }
}
#include "shared/each_cell.glsl"
