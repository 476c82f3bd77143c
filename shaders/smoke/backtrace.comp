#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/grid.glsl"
#include "shared/branches.glsl"
#include "shared/sampling.glsl"
#include "shared/vectors.glsl"
#include "shared/reach.glsl"
// Where the fluid at each cell centre comes from and where it goes within a step, as displacements [cells]: midpoint rule along the
// velocity at cell centres, second order. All advected fields share these paths. A path that would end inside an obstacle ends on its
// surface. The backward path uses the obstacles at the beginning of the step, the forward path those at its end.
layout(binding = 1) uniform sampler3D centre;  // [m/s]
layout(binding = 12) uniform sampler3D solidDistance;  // [cells]
layout(binding = 13) uniform sampler3D distanceBefore;
VECTORS_OUT(2, backOut);
VECTORS_OUT(3, aheadOut);
layout(binding = 4, scalar) writeonly buffer ReachOut { float reachOut[]; };  // see shared/reach.glsl
shared float reaches[64];  // maxima of the group's subgroups, which have at least 4 threads
layout(push_constant, scalar) uniform Push { VectorsOut backOutAddress; VectorsOut aheadOutAddress; };

// The part of `path` from cell c that lies outside solids. Two steps of false position find the surface.
vec3 outsidePart(sampler3D distances, ivec3 c, vec3 path) {
    if (sim.obstacleCount == 0) return path;
    float beyond = obstaclesBeyond(vec3(c) + 0.5);
    if (beyond > 0.0 && beyond * beyond > dot(path, path)) return path;  // far from all obstacles: no fetch
    float here = texelFetch(distances, texelOf(c), 0).x;
    if (here <= 0.0 || here * here > dot(path, path)) return path;  // the path cannot reach a surface
    vec3 p = vec3(c) + 0.5;
    float outer = 0.0, inner = 1.0, atInner = 0.0, t = 1.0;  // the surface is between these shares of the path
    for (int n = 0; n < noUnroll(2); ++n) {
        float there = sampleCells(distances, p + t * path).x;
        if (n == 0 && there >= 0.0) return path;
        if (there < 0.0) inner = t, atInner = there;
        else outer = t, here = there;
        t = outer + (inner - outer) * here / (here - atInner);
    }
    return t * path;
}

// Stores both paths and returns the backward path.
vec3 trace(ivec3 c) {
    vec3 p = vec3(c) + 0.5;
    float s = sim.dt / sim.h;
    uint place = kSparse ? ownPlace(c) : cellIndex(c, sim.cells);
    vec3 u = texelFetch(centre, ownTexel(c), 0).xyz;
    vec3 back = -s * sampleStoredCells(centre, p - 0.5 * s * u).xyz;
    vec3 ahead = s * sampleStoredCells(centre, p + 0.5 * s * u).xyz;
    if (kUnit > 0) {  // paths end within the halo of active bricks
        vec3 reach = vec3(float(brickList.reach));
        back = clamp(back, -reach, reach);
        ahead = clamp(ahead, -reach, reach);
    }
    STORE(backOut, place, vec4(outsidePart(distanceBefore, c, back), 0.0))
    STORE(aheadOut, place, vec4(outsidePart(solidDistance, c, ahead), 0.0))
    return back;
}

void compute(ivec3 c) {
    vec3 back = outside(c, sim.cells) ? vec3(0.0) : abs(trace(c));
    float reach = subgroupMax(max(back.x, max(back.y, back.z)));
    if (kRounds > 1) barrier();  // the first thread may still read those of the round before
    if (subgroupElect()) reaches[gl_SubgroupID] = reach;
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    for (uint n = 1u; n < gl_NumSubgroups; ++n) reach = max(reach, reaches[n]);
    ivec3 first = c - ivec3(gl_LocalInvocationID);
    if (!outside(first, sim.cells)) reachOut[reachIndex(first)] = reach;  // the last bricks may hold only faces
}
#include "shared/each_cell.glsl"
