#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/no_slip.glsl"
#include "shared/diffusion.glsl"
#include "shared/body.h"
#include "shared/reduce.glsl"
// Viscous force [N] and torque [N m] on an obstacle, from faces of the fluid beside faces inside the obstacle: F = mu h sum
// (u_f - u_s) / theta, where theta [cells] is the distance to the surface. u_f is the velocity after diffusion, because the pressure
// gradient has accelerated faces beside the surface along it.
layout(binding = 1) uniform sampler3D velocity;
layout(push_constant, scalar) uniform Push { BodyPush push; };

void add(inout float v[8], ivec3 c, int axis, ivec3 way) {
    ivec3 inside = wrapped(c + way, sim.cells);
    if (!faceExists(c, axis) || !faceExists(inside, axis) || sideOfFace(c, axis) >= 0 || sideOfFace(inside, axis) >= 0) return;
    if (isPeriodic(axis) && c[axis] == sim.cells[axis]) return;  // this repeats the first face
    float phi = faceDistance(c, axis), there = faceDistance(inside, axis);
    if (phi <= 0.0 || there > 0.0) return;
    NearestObstacle o = nearestObstacle(worldPoint(facePoint(inside, axis)));
    if (o.index != push.index) return;
    // The motion of the body, extended to the fluid face: fluid that turns with the body is not sheared.
    float near = nearness(phi, there), us = bodyVelocity(inside, axis, -vec3(way))[axis];
    vec3 force = vec3(unit(axis)) * push.factor * sim.h * near * (diffused(velocity, c, axis, false, push.amount) - us);
    vec3 torque = cross(o.r - (1.0 - 1.0 / near) * sim.h * vec3(way), force);
    for (int n = 0; n < 3; ++n) {
        v[n] += force[n];
        v[3 + n] += torque[n];
    }
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < noUnroll(cellsOf(push.size)); n += nextValue())
        for (int k = 0; k < kAxes * 2 * kAxes; ++k) {
            int towards = k / kAxes;
            add(v, push.first + numberedCell(n, push.size), k % kAxes, towards < kAxes ? unit(towards) : -unit(towards - kAxes));
        }
    reduceGroup(v);
}
