#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_ONCE_PER_SLOT
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/solids.glsl"
// Aperture (open area fraction) of each face, by piecewise linear signed distance over four triangles around the face's centre (symmetric
// under mirroring); second order. w = mean over the cell's six faces, so it is 0 exactly where no face is open. Also stores the distance at
// cell centres [cells], so that hot passes need no loop over obstacles.
layout(binding = 1) uniform writeonly image3D aperture;
layout(binding = 2) uniform writeonly image3D distanceOut;  // other passes read it as solidDistance
layout(binding = 3) uniform writeonly image3D solidVelocityOut;  // [m/s] on faces that are not fully open
// first: texel of the first thread. All threads store distances, which change up to WISP_FAR_CELLS from an obstacle. Faces change only
// beside obstacles: only threads in the box of `facesSize` texels from `firstFaces` store them.
layout(push_constant, scalar) uniform Push { ivec3 first; ivec3 firstFaces; ivec3 facesSize; };

float openTriangle(float a, float b, float c) {  // share of the triangle where the linear function is positive
    int positive = int(a > 0.0) + int(b > 0.0) + int(c > 0.0);
    if (positive == 0) return 0.0;
    if (positive == 3) return 1.0;
    bool one = positive == 1;  // swap the corner with the other sign to a
    if ((b > 0.0) == one && (a > 0.0) != one) { float t = a; a = b; b = t; }
    else if ((c > 0.0) == one && (a > 0.0) != one) { float t = a; a = c; c = t; }
    float share = a / (a - b) * a / (a - c);
    return one ? share : 1.0 - share;
}

float openSquare(float a, float b, float c, float d) {  // corners in order around the square
    float m = 0.25 * (a + b + c + d);
    float share = 0.25 * (openTriangle(m, a, b) + openTriangle(m, b, c) + openTriangle(m, c, d) + openTriangle(m, d, a));
    return share < 0.02 ? 0.0 : share;  // slivers would only make the pressure system stiff
}

void compute(ivec3 c) {
    c += first;
    if (outside(c, sim.cells + 1) || !isStored(c)) return;
    vec3 low = vec3(1.0), high = vec3(1.0);
    int n;
    float centre = obstacleDistance(worldPoint(vec3(c) + 0.5), n);
    if (sim.obstacleCount > 0 && !outside(c, sim.cells)) {  // without obstacles this image does not exist
        imageStore(distanceOut, texelOf(c), vec4(clamp(centre / sim.h, -WISP_FAR_CELLS, WISP_FAR_CELLS)));
    }
    if (outside(c - firstFaces, facesSize)) return;
    bool isCut = abs(centre) <= 0.87 * sim.h;  // half the diagonal; no surface crosses other cells
    if (!isCut) {
        low = high = vec3(centre > 0.0 ? 1.0 : 0.0);
    } else {
        float phi[8];
        for (int k = 0; k < noUnrollIf(isCut, 8); ++k) {  // CPU devices execute this for all lanes, see branches.glsl
            phi[k] = obstacleDistance(worldPoint(vec3(c + ivec3(k & 1, (k >> 1) & 1, k >> 2))), n);
        }
        [[unroll]] for (int f = 0; f < noUnrollIf(isCut, 6); ++f) {  // the lower and the upper face of each axis
            int axis = f >> 1, corner = (f & 1) << axis, s = axis == 0 ? 2 : 1, t = axis == 2 ? 2 : 4;
            float share = openSquare(phi[corner], phi[corner + s], phi[corner + s + t], phi[corner + t]);
            if ((f & 1) == 0) low[axis] = share;
            else high[axis] = share;
        }
    }
    vec4 alpha = vec4(low, dot(low + high, vec3(1.0 / 6.0)));
    // In eight bits, w is 1 only if all six apertures are.
    if (any(lessThan(min(low, high), vec3(254.5 / 255.0)))) alpha.w = min(alpha.w, 254.0 / 255.0);
    for (int axis = 0; axis < 3; ++axis) {
        if (sideOfFace(c, axis) > WISP_OPEN || !faceExists(c, axis)) alpha[axis] = 0.0;
    }
    if (outside(c, sim.cells)) alpha.w = 0.0;
    imageStore(aperture, texelOf(c), alpha);
    if (kSparse && sim.obstacleCount == 0) return;  // see shared/solid_velocity.glsl
    vec4 us = vec4(0.0);
    for (int axis = 0; axis < noUnrollIf(any(lessThan(alpha.xyz, vec3(1.0))), 3); ++axis) {
        if (alpha[axis] < 1.0 && faceExists(c, axis)) us[axis] = solidVelocity(c, axis);
    }
    imageStore(solidVelocityOut, texelOf(c), velocityToStorage(us.xyz));
}
#include "shared/each_cell.glsl"
