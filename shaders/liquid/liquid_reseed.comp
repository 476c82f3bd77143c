#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/random.glsl"
// Reseeds the liquid where it has become thin inside: cells with fewer than three particles, all of whose neighbours have at least three or
// are solid (Ando, Thuerey, Tsuruno 2012). A bit is set for each sub-cell in which a particle is to be spawned. These are sub-cells without
// a particle, from a random one on.
// Particles are spawned only while more have been deleted in cells that were too full, and are deleted there only if any are wanted here.
// The amount of liquid is therefore preserved, except for particles that are wanted or deleted in one step, and for particles that cannot
// be spawned (no memory, or an emitter fills the same sub-cell).
layout(binding = 1, scalar) readonly buffer Counts { uint counts[]; };
layout(binding = 2, scalar) readonly buffer Taken { uint taken[]; };
layout(binding = 3, scalar) writeonly buffer SpawnedOut { uint spawnedOut[]; };
layout(binding = 4) uniform sampler3D aperture;
layout(binding = 5, scalar) readonly buffer Removed { uint removed[3]; };
layout(binding = 6, scalar) readonly buffer RespawnedIn { uint respawnedIn[2]; };
// number spawned so far; number wanted in this step but not spawned; initially 0
layout(binding = 7, scalar) buffer RespawnedOut { uint respawnedOut[2]; };
layout(push_constant, scalar) uniform Push { LiquidSpawn push; };
const uint kLeast = 3u;

bool isFull(ivec3 c) {
    uint count = counts[cellIndex(clamp(c, ivec3(0), sim.cells - 1), sim.cells)];
    if (outside(c, sim.cells)) return !beyondOpenSide(vec3(c) + 0.5);
    return count >= kLeast || (obstaclesBeyond(vec3(c) + 0.5) < 1.0 && texelFetch(aperture, c, 0).w == 0.0);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells), own = counts[index], parts = uint(push.edge * push.edge * push.edge), spawned = 0u;
    bool thin = parts >= kLeast && own < kLeast && isFull(c + unit(1)) && isFull(c - unit(1));  // rejects air early
    if (thin) {
        bool full[27];  // all are loaded before the first is tested
        [[unroll]] for (int n = 0; n < 27; ++n) full[n] = isFull(c + ivec3(n % 3, (n / 3) % 3, n / 9) - 1);
        [[unroll]] for (int n = 0; n < 27; ++n) thin = thin && (n == 13 || full[n]);
    }
    if (thin && texelFetch(aperture, c, 0).w == 1.0) {
        uint first = hash4(uvec4(index, push.step, push.seed, 0u)).x;
        for (uint k = 0u; k < parts && own + uint(bitCount(spawned)) < kLeast; ++k) spawned |= ~taken[index] & 1u << (first + k) % parts;
    }
    bool noneWaiting = removed[2] <= respawnedIn[0];  // no deleted particle is left to be spawned again
    uint wanted = noneWaiting ? uint(bitCount(spawned)) : 0u;
    if (noneWaiting) spawned = 0u;
    spawnedOut[index] = spawned;
    uint respawned = uint(bitCount(spawned)) + (index == 0u ? respawnedIn[0] : 0u);
    if (respawned > 0u) atomicAdd(respawnedOut[0], respawned);
    if (wanted > 0u) atomicAdd(respawnedOut[1], wanted);
}
