#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/pressure_level.h"
#include "shared/body.h"
#include "shared/reduce.glsl"
// Pressure force [N] and torque [N m] on an obstacle: F = sum p A, T = sum p r x A over the pressure cells that it cuts. Its area A in a
// cell, directed into the body, closes the open parts of the cell's faces: A = -sum a_f n_f, r x A = -sum a_f r_f x n_f. A constant
// pressure therefore has no effect.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) readonly buffer PressureIn { float pressureIn[]; };  // q = p dt / rho [m^2/s]
layout(push_constant, scalar) uniform Push { BodyPush push; };

// Share of a face that obstacles leave open. The aperture does not contain it if a wall or an inflow closes the face. It is then computed
// from the distance, to first order.
float besideBodies(ivec3 face, int axis) {
    if (sideOfFace(face, axis) <= WISP_OPEN) return texelFetch(aperture, texelOf(face), 0)[axis];
    int n;
    return clamp(0.5 + obstacleDistance(worldPoint(facePoint(face, axis)), n) / sim.h, 0.0, 1.0);
}

void add(inout float v[8], ivec3 C) {
    int r = sim.ratio;
    vec3 centre = worldPoint(kFlat ? vec3((vec2(C.xy) + 0.5) * float(r), 0.5) : (vec3(C) + 0.5) * float(r));
    vec3 A = vec3(0.0), torque = vec3(0.0);
    NearestObstacle o = nearestObstacle(centre);
    if (o.index != push.index || abs(o.distance) > float(2 * r) * sim.h) return;
    for (int n = 0; n < 2 * kAxes * r * r; ++n) {
        int axis = n / (2 * r * r), side = n / (r * r) % 2;
        ivec3 face = C * r + (n % r) * unit((axis + 1) % 3) + (n / r % r) * unit((axis + 2) % 3);
        face[axis] = min(face[axis] + side * r, sim.cells[axis]);
        if (!faceExists(face, axis)) continue;
        vec3 a = besideBodies(face, axis) * vec3(unit(axis)) * (side == 0 ? 1.0 : -1.0);  // -a_f n_f
        A += a;
        torque += cross(o.r + worldPoint(facePoint(face, axis)) - centre, a);
    }
    float p = push.factor * pressureIn[cellIndex(PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0), C)] * sim.h * sim.h;
    for (int axis = 0; axis < 3; ++axis) {
        v[axis] += p * A[axis];
        v[3 + axis] += p * torque[axis];
    }
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < noUnroll(cellsOf(push.size)); n += nextValue()) add(v, push.first + numberedCell(n, push.size));
    reduceGroup(v);
}
