#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Weights of the pressure equation of a liquid. The weight of a face is its aperture alpha. Between FLUID and EMPTY it is alpha / theta,
// where theta is the share of the distance between the centres that is in the liquid, because q = 0 on the surface (ghost fluid: Gibou et
// al. 2002). Without ghost fluid it is alpha, for q = 0 at the centre of the EMPTY cell. On open sides of the box it is 2 alpha. w = the
// sum of the weights of a FLUID cell, 0 in other cells, where q = 0.
#include "shared/pressure_level.h"
#include "shared/liquid/liquid.h"
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer WeightsOut { vec4 weightsOut[]; };
layout(binding = 3, scalar) writeonly buffer RegularOut { uint regularOut[]; };  // like coarse_aperture
layout(binding = 4, scalar) readonly buffer Surface { vec2 surface[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; int ghostFluid; };
shared uint flags[256 / WISP_REGULAR_BITS];

float phiAt(ivec3 c) { return surface[cellIndex(c, sim.cells)].x; }

float weight(ivec3 c, int axis) {
    if (!faceExists(c, axis)) return 0.0;
    float alpha = texelFetch(aperture, c, 0)[axis];
    if (sideOfFace(c, axis) >= 0) return 2.0 * alpha;  // alpha is 0 on sides that are not open
    float a = phiAt(c - unit(axis)), b = phiAt(c);
    if (ghostFluid == 0 || (a < 0.0) == (b < 0.0)) return alpha;
    float theta = min(a, b) / (min(a, b) - max(a, b));
    return alpha / max(theta, WISP_LIQUID_LEAST);
}

void main() {
    ivec3 c = cell();  // x is a slot of its row: see shared/pressure_level.h
    int slot = c.x, row = int(gl_LocalInvocationIndex / WISP_REGULAR_BITS);
    if (slot < level.cells.x) c.x = cellOfSlot(level, slot);
    flags[row] = 0u;
    barrier();
    bool isFluid = !outside(c, level.cells) && phiAt(c) < 0.0, regular = isFluid;
    vec4 w = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        w[axis] = weight(c, axis);
        if (!isFluid) continue;
        float high = weight(c + unit(axis), axis);
        w.w += w[axis] + high;
        regular = regular && w[axis] == 1.0 && high == 1.0 && c[axis] > 0 && c[axis] + 1 < level.cells[axis];
    }
    if (!outside(c, level.cells + 1)) weightsOut[weightIndex(level, c)] = w;
    if (w.w > 0.0) atomicOr(flags[row], flagsOf(slot, regular, true));
    barrier();
    bool first = slot % WISP_REGULAR_BITS == 0 && slot < level.cells.x && c.y < level.cells.y && c.z < level.cells.z;
    if (first) regularOut[regularIndex(level, slot, c.y, c.z)] = flags[row];
}
