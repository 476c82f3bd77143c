#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/out_of_obstacles.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/liquid/known.glsl"
layout(local_size_x = WISP_LIQUID_GROUP) in;
// Transfer from the grid to particles, and their motion: u_p = flip (u_p + u - u_before) + (1 - flip) u (Zhu, Bridson 2005), or with APIC
// u_p = u and its gradient. dx/dt = u by Runge-Kutta, in sub-steps in which no particle moves farther than about a cell. Beyond the
// extrapolated layers a particle keeps its own velocity. A particle that enters an obstacle is moved to the obstacle's surface. At walls it
// stays inside. Past an open side it is marked as having left.
// If particles are wanted where the liquid is thin and none waits to be spawned there, a cell inside the liquid that is far too full loses
// one.
layout(binding = 1) uniform sampler3D velocity;        // projected, on faces [m/s]
layout(binding = 3) uniform sampler3D velocityBefore;  // as transferred from the particles
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5, scalar) readonly buffer Known { uint known[]; };
layout(binding = 6, scalar) buffer Positions { vec4 positions[]; };
layout(binding = 7, scalar) buffer Velocities { vec4 velocities[]; };
layout(binding = 8, scalar) writeonly buffer GradientsOut { vec4 gradientsOut[]; };
layout(binding = 9, scalar) buffer Speed { uint speed; };
layout(binding = 10, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 11) uniform sampler3D aperture;
layout(binding = 12) uniform sampler3D positionCorrection;  // position correction, see liquid_position_correction.comp [m/s], on faces
layout(binding = 13, scalar) readonly buffer Removed { uint removed[3]; };
// number spawned so far, and number wanted: see liquid_reseed.comp
layout(binding = 14, scalar) readonly buffer Respawned { uint respawned[2]; };
layout(push_constant, scalar) uniform Push { LiquidMove push; };
#include "shared/liquid/liquid_sampling.glsl"
#include "shared/liquid/inside_liquid.glsl"
shared uint fastest;
const float kFromWall = 1e-3;  // [cells]
const int kMaxSubsteps = 16;     // maximum number of sub-steps

bool isKnown(vec3 p) {
    uint word = known[cellIndex(clamp(ivec3(floor(p)), ivec3(0), sim.cells - 1), sim.cells + 1)];
    return layerOf(word, 0) < WISP_LIQUID_UNKNOWN && layerOf(word, 1) < WISP_LIQUID_UNKNOWN && layerOf(word, 2) < WISP_LIQUID_UNKNOWN;
}

vec3 velocityAlong(vec3 p, vec3 own) { return (isKnown(p) ? velocityAt(velocity, p) : own) / sim.h; }  // [cells/s]

// The midpoint rule, or Ralston's third-order method.
vec3 moved(vec3 p, vec3 own, float dt) {
    vec3 a = velocityAlong(p, own), b = velocityAlong(p + 0.5 * dt * a, own);
    if (push.thirdOrder == 0) return p + dt * b;
    vec3 c = velocityAlong(p + 0.75 * dt * b, own);
    return p + dt * (2.0 * a + 3.0 * b + 4.0 * c) / 9.0;
}

vec3 insideWalls(vec3 p) {
    vec3 low = mix(vec3(-1.0), vec3(kFromWall), equal(sim.sidesLow, ivec3(WISP_WALL))),
        high = vec3(sim.cells) - mix(vec3(-1.0), vec3(kFromWall), equal(sim.sidesHigh, ivec3(WISP_WALL)));
    return mix(clamp(p, low, high), p, isnan(p));  // the sort detects NaN
}

// Position correction, at most one cell long.
vec3 correctionAt(vec3 p) {
    vec3 d = velocityAt(positionCorrection, p) * sim.dt / sim.h;
    return d / max(length(d), 1.0);
}

void moveParticle(uint n) {
    vec3 p = positions[n].xyz, start = p, after = velocityAt(velocity, p);
    vec3 u = kAffine ? after : mix(after, velocities[n].xyz + after - velocityAt(velocityBefore, p), push.flip);
    if (kAffine) [[unroll]] for (int axis = 0; axis < 3; ++axis)
        gradientsOut[3u * n + uint(axis)] = vec4(gradientAt(velocity, p, axis), 0.0);
    float cells = max(length(after), length(u)) * sim.dt / sim.h;
    int substeps = int(clamp(ceil(cells), 1.0, float(kMaxSubsteps)));
    for (int k = 0; k < substeps; ++k) p = insideWalls(outOfObstacles(moved(p, u, sim.dt / float(substeps)), 4));
    p = insideWalls(outOfObstacles(p + correctionAt(start), 4));
    if (obstacleAt(p) < kInside && obstacleAt(start) >= kInside) p = start;
    bool surplus = push.most < kNowhere && respawned[1] > 0u && removed[2] <= respawned[0] && n == cellFirst[cellOf(start)] + push.most &&
        isInside(cellAt(cellOf(start)));
    positions[n] = vec4(p, surplus ? WISP_LIQUID_SURPLUS : isInBox(p) || any(isnan(p)) ? WISP_LIQUID_HERE : WISP_LIQUID_LEFT);
    velocities[n] = vec4(u, 0.0);
    // the bits of positive floats have the order of the floats; those of NaN would come last
    if (cells < 1e30) atomicMax(fastest, floatBitsToUint(cells));
}

void main() {
    if (gl_LocalInvocationIndex == 0u) fastest = 0u;
    barrier();
    if (gl_GlobalInvocationID.x < cellFirst[cellTotal()]) moveParticle(gl_GlobalInvocationID.x);
    barrier();
    if (gl_LocalInvocationIndex == 0u && fastest > speed) atomicMax(speed, fastest);
}
