#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
// 5 % faster than 8x8x4 on an H200. In the loop of shared/each_cell.glsl it would be 7 % slower.
layout(local_size_x = 8, local_size_y = 4, local_size_y_id = 16, local_size_z = 4, local_size_z_id = 17) in;
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/velocity.glsl"
#include "shared/paths.glsl"
#include "shared/clamping.glsl"
#include "shared/solids.glsl"
#include "shared/near_solid.glsl"
#include "shared/correction.h"
// MacCormack (Selle et al. 2008): forward + (u - back(forward)) / 2, clamped to the bounds of the texels at the departure point; and the
// two passes that turn a step into BFECC, see shared/correction.h. Semi-Lagrangian next to solids and where a path leaves the box. Second
// order.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 5) uniform sampler3D forward;   // result of advect_velocity
layout(binding = 6) uniform writeonly image3D velocityOut;
layout(binding = 7) uniform sampler3D velocityLeast;
layout(binding = 8) uniform sampler3D velocityGreatest;
VECTORS_IN(3, back);  // displacements of backtrace.comp
VECTORS_IN(4, ahead);
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; VectorsIn aheadAddress; float keep; int correction; };
layout(constant_id = 20) const bool kBfecc = false;  // false: only MacCormack's corrections, and less code

// Bounds of each face's component around its departure point, at `texels`. The three faces of a cell mostly share their eight texels, so
// that one look-up is enough.
void boundsOfFaces(mat3 texels, out vec3 low, out vec3 high) {
    // Tangentially, the last texels hold no faces of this axis unless it is periodic: their 0 must not become a bound.
    ivec3 base[3];
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        base[axis] = min(ivec3(floor(texels[axis] - 0.5)), mix(sim.cells - 2 + unit(axis), sim.cells - 1, periodicAxes()));
    }
    bvec3 known = bvec3(false, false, kFlat);
    for (int n = 0; n < noUnroll(kAxes); ++n) {
        if (all(known)) break;
        int first = known.x ? known.y ? 2 : 1 : 0;
        ivec3 b = first == 0 ? base[0] : first == 1 ? base[1] : base[2];
        vec4 least, greatest;
        if (kReductions && !kExactFilter) {
            faceExtremes(velocityLeast, velocityGreatest, first == 0 ? texels[0] : first == 1 ? texels[1] : texels[2], least, greatest);
        } else {
            faceBounds(velocity, b, least, greatest);
        }
        bvec3 same = bvec3(base[0] == b, base[1] == b, base[2] == b);
        low = mix(low, least.xyz, same);
        high = mix(high, greatest.xyz, same);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) known[axis] = known[axis] || same[axis];
    }
}

// Which faces have paths that touch partly solid cells. No path is longer than `longest`.
bvec3 nearSolids(float distance, float longest, ivec3 c, mat3 from, mat3 to) {
    bvec3 near = bvec3(false);
    if (distance > kSampleReach + longest) return near;
    for (int axis = 0; axis < noUnroll(kAxes); ++axis) {
        vec3 p = facePoint(c, axis);
        bool touches = nearSolid(distance, p, axis == 0 ? from[0] : axis == 1 ? from[1] : from[2],
            axis == 0 ? to[0] : axis == 1 ? to[1] : to[2]);
        near = bvec3(axis == 0 ? touches : near.x, axis == 1 ? touches : near.y, axis == 2 ? touches : near.z);
    }
    return near;
}

vec3 facesAt(sampler3D field, ivec3 c) {
    return texelFetch(field, texelOf(clamp(wrapped(c, sim.cells), ivec3(0), sim.cells)), 0).xyz;
}

// What lets the corrected velocity keep its momentum. The sum over all faces of v . grad u, by central differences, is 0 only if v at the
// faces has no divergence by the same differences. v has none by the differences across cells. Summed by parts, what is left is a quarter
// of the sum of E_a D_a u: D_a is the second difference along axis a, E_a the mean of the differences of v_a across the two cells beside
// the face. (On staggered grids the conserving form of Harlow, Welch 1965 has it, too.) D_a is the mean of those before and after the step.
vec3 conservation(ivec3 c, vec3 before, vec3 after) {
    vec3 across, second[3], low[3], sum = vec3(0.0);  // across: cell c
    [[unroll]] for (int a = 0; a < kAxes; ++a) {
        low[a] = facesAt(velocity, c - unit(a));
        vec3 high = facesAt(velocity, c + unit(a));
        across[a] = high[a] - before[a];
        second[a] = (low[a] - before) + (high - before) + (facesAt(forward, c - unit(a)) - after) + (facesAt(forward, c + unit(a)) - after);
    }
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        [[unroll]] for (int a = 0; a < kAxes; ++a) {
            float below = a == axis ? before[a] - low[a][a] : facesAt(velocity, c - unit(axis) + unit(a))[a] - low[axis][a];
            // Whether both neighbours are faces, and the face is not on a side.
            bool inside = isPeriodic(a) || (c[a] > 0 && c[a] + 1 < sim.cells[a] + int(a == axis));
            if (a != axis) inside = inside && (isPeriodic(axis) || (c[axis] > 0 && c[axis] < sim.cells[axis]));
            sum[axis] += inside ? (across[a] + below) * second[a][axis] : 0.0;
        }
    }
    return -sim.dt / sim.h / 16.0 * sum;
}

void main() {
    ivec3 c = cell();
    if (isIdle(c)) return;
    findSlots();
    if (outside(c, sim.cells + 1)) return;
    vec3 value = texelFetch(forward, ownTexel(c), 0).xyz, before = texelFetch(velocity, ownTexel(c), 0).xyz;
    bool limits = kBfecc && correction == WISP_LIMIT;
    if (kBfecc && correction == WISP_COMPENSATE) value = before;
    float distance = centreDistance(c) - 0.5;  // a face is half a cell from the centre
    uvec4 places = facePlaces(c);
    mat3 from = FACE_DISPLACEMENTS(back, places), to = FACE_DISPLACEMENTS(ahead, places), texels;
    bvec3 corrects = bvec3(false);
    vec3 there = vec3(0.0);
    float longest = 0.0;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        longest = max(longest, sqrt(max(dot(from[axis], from[axis]), dot(to[axis], to[axis]))));
        from[axis] += facePoint(c, axis);
        to[axis] += facePoint(c, axis);
        texels[axis] = faceTexel(from[axis], axis);
        corrects[axis] = faceExists(c, axis) && ambientWeight(from[axis], faceMargin(axis)) == 0.0;
        if (!limits) corrects[axis] = corrects[axis] && insideBox(from[axis]) && insideBox(to[axis]);
        there[axis] = velocityComponent(forward, to[axis], axis);
    }
    bvec3 near = nearSolids(distance, longest, c, from, to);
    vec3 u = value, m = vec3(0.0);
    if (!limits) {
        u += 0.5 * (before - there);
        m = conservation(c, before, texelFetch(forward, ownTexel(c), 0).xyz);
    }
    if (kBfecc ? limits : correction != WISP_UNCLAMPED) {
        vec3 low, high;
        boundsOfFaces(texels, low, high);
        u = clamp(u, low, high);
        vec3 most = WISP_CONSERVED_SHARE * (high - low);
        m = clamp(m, -most, most);
    }
    u += m;
    if (limits) near = bvec3(false);
    u = keep * mix(value, u, bvec3(corrects.x && !near.x, corrects.y && !near.y, corrects.z && !near.z));
    imageStore(velocityOut, ownTexel(c), velocityToStorage(vec3(faceExists(c, 0) ? u.x : 0.0, faceExists(c, 1) ? u.y : 0.0,
        faceExists(c, 2) ? u.z : 0.0)));
}
