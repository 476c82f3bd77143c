#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#include "shared/limits.glsl"
#include "shared/liquid/liquid.h"
#include "shared/liquid/known.glsl"
// Extrapolates the velocity to one more layer of faces: the mean of the known faces among the 26 around a face, weighted by 1 / distance^2.
// Only earlier layers count, so the order of threads makes no difference. The number of layers is the number of cells that the fastest
// particle crosses in a step, plus two. Most faces are in the air or in the liquid. A group therefore first checks which faces around it
// are known, and fetches velocities only where the layer is.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;  // the same image as velocityIn
layout(binding = 3, scalar) buffer Known { uint known[]; };
layout(binding = 4, scalar) readonly buffer Speed { float speed; };  // [cells per step]
layout(push_constant, scalar) uniform Push { uint layer; };
const int kAtOnce = kBranchless ? 1 : 9;  // number of fetches in flight: all 26 would take registers from groups that only check
const ivec3 kTile = ivec3(8, 8, 4), kStored = kTile + 2;  // with a layer around the tile
shared uint tile[kStored.x * kStored.y * kStored.z];  // bits of the axes that were known before this layer
shared uint found;                                    // all of these bits; stepData is used instead of `sim`: see downsample.comp

int stored(ivec3 p) { return (p.z * kStored.y + p.y) * kStored.x + p.x; }

uint axesKnown(uint word) {
    return uint(layerOf(word, 0) < layer) | uint(layerOf(word, 1) < layer) << 1 | uint(layerOf(word, 2) < layer) << 2;
}
uint axesThere(ivec3 c) {
    uint axes = 0u;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) axes |= outside(c, stepData.cells + unit(axis)) ? 0u : 1u << axis;
    return axes;
}

void fillTile() {
    ivec3 first = ivec3(gl_WorkGroupID) * kTile - 1, size = stepData.cells + 1;
    uint all = 0u;
    for (uint n = gl_LocalInvocationIndex; n < kStored.x * kStored.y * kStored.z; n += kTile.x * kTile.y * kTile.z) {
        ivec3 c = first + ivec3(n % kStored.x, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y));
        uint axes = outside(c, size) ? 0u : axesKnown(known[cellIndex(c, size)]);
        tile[n] = axes;
        all |= axes;
    }
    if (all != 0u) atomicOr(found, all);
}

void main() {
    if (float(layer) > ceil(speed) + 2.0) return;
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    fillTile();
    barrier();
    ivec3 c = cell(), size = stepData.cells + 1, p = ivec3(gl_LocalInvocationID) + 1;
    uint around = 0u, wanted = found & axesThere(c) & ~tile[stored(p)];
    [[unroll]] for (int n = 0; n < noUnrollIf(wanted != 0u, 27); ++n) around |= tile[stored(p - 1 + ivec3(n % 3, (n / 3) % 3, n / 9))];
    wanted &= around;
    if (wanted == 0u) return;
    vec3 sum = vec3(0.0), weight = vec3(0.0), u = texelFetch(velocityIn, c, 0).xyz;
    [[dont_unroll]] for (int first = 0; first < noUnrollIf(wanted != 0u, 27); first += kAtOnce) {
        [[unroll]] for (int k = 0; k < kAtOnce; ++k) {
            int n = kAtOnce == 1 ? first : k;
            ivec3 o = ivec3(n % 3, (n / 3) % 3, first / 9) - 1;
            vec3 near = texelFetch(velocityIn, clamp(c + o, ivec3(0), size - 1), 0).xyz;
            uint axes = o == ivec3(0) ? 0u : tile[stored(p + o)];  // 0 outside the field
            float w = 1.0 / float(dot(o, o));
            [[unroll]] for (int axis = 0; axis < 3; ++axis) {
                if ((axes >> axis & 1u) == 0u) continue;
                sum[axis] += w * near[axis];
                weight[axis] += w;
            }
        }
    }
    uint own = known[cellIndex(c, size)];
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if ((wanted >> axis & 1u) == 0u) continue;
        u[axis] = sum[axis] / weight[axis];
        own = own & ~layerBits(255u, axis) | layerBits(layer, axis);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
    known[cellIndex(c, size)] = own;
}
