#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/presmooth.glsl"
#include "shared/limits.glsl"
#include "shared/expansion.glsl"
// u += dt a, limited; a at a face is the mean of the two cells beside it. w: divergence of the cell, see shared/expansion.glsl. In place.
// With pressure_ratio 2 and 4 also the gradient of pre-smoothing: u += x_high - x_low on open faces, doubled on open sides, where x = 0 on
// the face.
layout(binding = 3) uniform sampler3D velocityIn;    // [m/s], on faces
layout(binding = 4) uniform writeonly image3D velocityOut;
VECTORS_IN(5, acceleration);  // [m/s^2], at cell centres; w: divergence [1/s]
FLOATS_IN(6, potential);      // x [m/s], see presmooth_pressure.comp
layout(push_constant, scalar) uniform Push { VectorsIn accelerationAddress; FloatFieldIn potentialAddress; };

void compute(ivec3 c) {
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, ownTexel(c), 0);
    uint place = placeOf(inGrid(c, sim.cells));
    vec4 here = LOAD(acceleration, place);
    float x = kRatio > 1 ? LOAD_FLOAT(potential, place) : 0.0, a[3], gradient[3];
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {  // no load depends on a branch, so that they are issued together
        uint low = below(place, c, axis);
        a[axis] = here[axis] + LOAD(acceleration, low)[axis];
        gradient[axis] = kRatio > 1 ? x - LOAD_FLOAT(potential, low) : 0.0;
    }
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        // On closed faces the gradient makes no difference, because the projection sets these.
        if (kRatio > 1 && isOpenBelow(c, axis)) gradient[axis] = 2.0 * x;
        if (kRatio > 1 && isOpenBeyond(c, axis)) gradient[axis] = -2.0 * x;
        if (kRatio > 1 && kSparse && c[axis] > 0 && !takesPart(c - unit(axis))) gradient[axis] = 0.0;  // c is in an active brick
        u[axis] += faceExists(c, axis) ? 0.5 * sim.dt * a[axis] + gradient[axis] : 0.0;
    }
    float D = kExpands && !outside(c, sim.cells) ? here.w : 0.0;
    imageStore(velocityOut, ownTexel(c), nearestHalf(vec4(limited(u.xyz), D)));
}
#include "shared/each_cell.glsl"
