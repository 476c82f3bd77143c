// SPDX-License-Identifier: MIT
// The grid of a step. Positions p are in fine cells: p = (x - origin) / h, cell c fills [c, c + 1].
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require  // [[unroll]] keeps components with a constant index in registers
#include "shared/step.h"
#include "shared/branches.glsl"
#include "shared/periodic.glsl"
#include "shared/flat.glsl"

layout(binding = 0, scalar) uniform StepBlock { StepData stepData; ObstacleData obstacles[WISP_MAX_OBSTACLES]; };
// Copied before any branch, so that CPU devices read it once for all lanes of a vector. Other devices are not affected. Values that decide
// branches go through `opaqueToCompiler`.
StepData stepOf(StepData s) {
    for (int axis = 0; axis < 3; ++axis) {
        s.sidesLow[axis] = opaqueToCompiler(s.sidesLow[axis]);
        s.sidesHigh[axis] = opaqueToCompiler(s.sidesHigh[axis]);
    }
    s.obstacleCount = opaqueToCompiler(s.obstacleCount);
    s.ratio = opaqueToCompiler(s.ratio);
    return s;
}
StepData sim = stepOf(stepData);
layout(constant_id = 12) const int kScalarRatio = 1;  // scalar cells per fine cell along an edge; along z of a flat grid there is one
layout(constant_id = 14) const int kRatio = 1;        // fine cells per pressure cell along an edge

// Work group of passes that sample fields: 8x8x4 keeps the taps of a group in one cache neighbourhood. CPU devices use smaller groups, see
// engine/shader.h.
#ifndef WISP_OWN_LOCAL_SIZE
layout(local_size_x = 8, local_size_y = 8, local_size_y_id = 16, local_size_z = 4, local_size_z_id = 17) in;
#endif

vec3 scalarsPerCell() { return vec3(ivec3(kScalarRatio, kScalarRatio, kFlat ? 1 : kScalarRatio)); }
vec3 scalarPoint(ivec3 c) { return (vec3(c) + 0.5) / scalarsPerCell(); }  // centre of a scalar cell [fine cells]

bool outside(ivec3 c, ivec3 size) { return any(greaterThanEqual(c, size)) || any(lessThan(c, ivec3(0))); }
uint cellIndex(ivec3 c, ivec3 size) { return (uint(c.z) * uint(size.y) + uint(c.y)) * uint(size.x) + uint(c.x); }
ivec3 unit(int axis) { return ivec3(axis == 0, axis == 1, axis == 2); }
#ifdef WISP_LISTS_BRICKS  // the pass can run over listed bricks
#include "shared/listed.glsl"
#else
ivec3 cell() { return ivec3(gl_GlobalInvocationID); }
#endif
#include "shared/storage.glsl"

// Texel c of a face field holds the three low-side faces of cell c. The texel past the last cell along an axis holds only the high-side
// face of that axis. On a periodic axis it repeats the first texel, see wrap_faces.comp.
bool faceExists(ivec3 c, int axis) { return !outside(c, sim.cells + unit(axis)); }
vec3 facePoint(ivec3 c, int axis) { return vec3(c) + 0.5 * (vec3(1.0) - vec3(unit(axis))); }
vec3 worldPoint(vec3 p) { return sim.origin + p * sim.h; }

// Whether p [cells] is in the box. Along periodic axes every position is.
bool insideBox(vec3 p) {
    p = mix(p, vec3(0.0), periodicAxes());
    return all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(sim.cells)));
}

// Whether p has left the box through a side that is not a wall. Samples there take the values outside the box.
bool beyondOpenSide(vec3 p) {
    if (insideBox(p)) return false;
    for (int a = 0; a < 3; ++a) {
        if (isPeriodic(a)) continue;
        if (p[a] < 0.0 && sim.sidesLow[a] != WISP_WALL) return true;
        if (p[a] > float(sim.cells[a]) && sim.sidesHigh[a] != WISP_WALL) return true;
    }
    return false;
}

// Share of the values outside the box in a sample at p [cells]. It is 1 beyond a side that is not a wall. Inside, it falls to 0 at the
// centres of the nearest texels, which are `margin` [cells] from the side.
float ambientWeight(vec3 p, vec3 margin) {
    vec3 above = vec3(sim.cells) - p;
    if (all(greaterThanEqual(mix(min(p, above), margin, periodicAxes()), margin))) return 0.0;
    float share = 0.0;
    for (int a = 0; a < 3; ++a) {
        if (isPeriodic(a)) continue;
        if (p[a] < margin[a] && sim.sidesLow[a] != WISP_WALL) share = max(share, p[a] < 0.0 ? 1.0 : 1.0 - p[a] / margin[a]);
        if (above[a] < margin[a] && sim.sidesHigh[a] != WISP_WALL) share = max(share, above[a] < 0.0 ? 1.0 : 1.0 - above[a] / margin[a]);
    }
    return share;
}

// Lower bound of the distance [cells] from p to every obstacle.
float obstaclesBeyond(vec3 p) {
    vec3 d = max(sim.solidsLow - p, p - sim.solidsHigh);
    return kPeriodic == 0 ? max(d.x, max(d.y, d.z)) : 0.0;
}

// Position at which a face field is sampled for its tangential components or for cells. The field has no such values past the last cells,
// so the position is at least half a cell inside. Along periodic axes it is the image between the first texel and the texel that repeats
// it.
vec3 amongCells(vec3 p) {
    vec3 t = clamp(p, vec3(0.5), vec3(sim.cells) - 0.5);
    return kPeriodic == 0 ? t : mix(t, 0.5 + mod(p - 0.5, vec3(sim.cells)), periodicAxes());
}

// Kind of the side of the box on which face c lies; -1: inside the box. On a periodic axis all faces are inside.
int sideOfFace(ivec3 c, int axis) {
    if (isPeriodic(axis)) return -1;
    if (c[axis] == 0) return sim.sidesLow[axis];
    return c[axis] == sim.cells[axis] ? sim.sidesHigh[axis] : -1;
}
