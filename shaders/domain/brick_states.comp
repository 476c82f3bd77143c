#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/brick_grid.glsl"
// Which bricks are active in this step: those that smoke can reach, those of emitters, strokes and the surfaces of obstacles, and those
// with vortices on the coarse grid. A brick that nothing needs any more stays active for a few steps. Bricks to be opened are
// ranked, see brick_wanted.comp.
layout(binding = 1, scalar) readonly buffer Smoke { BrickSmoke smoke[]; };         // see brick_smoke.comp
layout(binding = 2, scalar) readonly buffer Vorticity { float vorticity[]; };      // see brick_vorticity.comp
layout(binding = 3, scalar) readonly buffer Fastest { uint fastest; };
layout(binding = 4, scalar) readonly buffer Seeds { SeedBox seeds[]; };
layout(binding = 5, scalar) readonly buffer StatesIn { uint statesIn[]; };
layout(binding = 6, scalar) writeonly buffer StatesOut { uint statesOut[]; };
layout(push_constant, scalar) uniform Push { int seedCount; float threshold, vorticityThreshold; };  // of density; of the largest speed
const int kMargin = 2;          // cells that fluid may go beyond its path of the last step, and the reach of interpolation
const float kDiagonal = 13.86;  // half the diagonal of a brick [cells]
const float kSurface = 2.0;     // coarse cells around obstacles

bool meets(ivec3 low, ivec3 high, ivec3 b) {
    return all(lessThan(low, (b + 1) * WISP_BRICK_EDGE)) && all(greaterThanEqual(high, b * WISP_BRICK_EDGE));
}

// Largest density in the bricks from which smoke reaches brick b; negative: none. `any`: the first one found is enough.
float smokeThatReaches(ivec3 b, bool any) {
    float most = -1.0;
    // Bricks between which fluid can move in a step.
    int far = clamp(int(uintBitsToFloat(fastest) * sim.dt / sim.h) / WISP_BRICK_EDGE + 1, 1, 3);
    for (int z = -far; z <= far; ++z)
        for (int y = -far; y <= far; ++y)
            for (int x = -far; x <= far; ++x) {
                ivec3 n = b + ivec3(x, y, z);
                if (outside(n, brickCount())) continue;
                BrickSmoke s = smoke[cellIndex(n, brickCount())];
                if (s.box == 0u) continue;
                ivec3 low = ivec3(s.box & 15u, s.box >> 4 & 15u, s.box >> 8 & 15u), high = ivec3(s.box >> 12 & 15u, s.box >> 16 & 15u,
                    s.box >> 20 & 15u);
                int reach = int(ceil(min(s.reach, 64.0))) + kMargin;
                if (!meets(n * WISP_BRICK_EDGE + low - reach, n * WISP_BRICK_EDGE + high + reach, b)) continue;
                most = max(most, s.most);
                if (any) return most;
            }
    return most;
}

bool holdsSeed(ivec3 b) {
    for (int n = 0; n < opaqueToCompiler(seedCount); ++n)
        if (meets(seeds[n].first, seeds[n].last, b)) return true;
    return false;
}

// Distance from the centre of a brick to the nearest obstacle [cells].
float obstacleDistance(ivec3 b) {
    int nearest;
    if (sim.obstacleCount == 0) return WISP_FAR_CELLS;
    return obstacleDistance(worldPoint(vec3((2 * b + 1) * (WISP_BRICK_EDGE / 2))), nearest) / sim.h;
}

void main() {
    int n = brickIndex();
    if (n >= brickTotal()) return;
    ivec3 b = brickAt(n);
    bool was = (statesIn[n] & WISP_IS_ACTIVE) != 0u;
    float distance = obstacleDistance(b);
    bool isSource = holdsSeed(b) || abs(distance) < kDiagonal + kSurface * float(sim.ratio);
    float smoke = isSource ? 0.0 : smokeThatReaches(b, was);
    bool swirls = vorticity[n] > vorticityThreshold * uintBitsToFloat(fastest), needed = isSource || smoke >= 0.0 || swirls;
    uint idle = needed ? 0u : (statesIn[n] >> WISP_IDLE_SHIFT) + 1u;
    bool isActive = needed || (was && idle <= WISP_IDLE_STEPS);
    // Three factors of two in density for each rank between those of vortices and of sources.
    int dense = 1 + clamp(int(log2(max(smoke / max(threshold, 1e-20), 1.0)) / 3.0), 0, WISP_RANKS - 3);
    int rank = isSource ? WISP_RANKS - 1 : smoke < 0.0 ? 0 : dense;
    bool wants = isActive && !was;
    statesOut[n] = (isActive ? WISP_IS_ACTIVE : 0u) | (was ? WISP_WAS_ACTIVE : 0u) | (distance < 0.0 ? WISP_IS_SOLID : 0u) |
        (wants ? WISP_WANTS | uint(rank) << WISP_RANK_SHIFT : 0u) | min(idle, WISP_IDLE_STEPS + 1u) << WISP_IDLE_SHIFT;
}
