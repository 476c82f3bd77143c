#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/pressure_level.h"
#include "shared/body.h"
#include "shared/reduce.glsl"
#include "shared/vectors.glsl"
// Pressure force [N] and torque [N m] on an obstacle: F = sum p A, T = sum p r x A over the pressure cells that it cuts. Its area A in a
// cell, directed into the body, closes the open parts of the cell's faces: A = -sum a_f n_f, r x A = -sum a_f r_f x n_f. A constant
// pressure therefore has no effect. The share of the pressure that pre-smoothing found in fine cells acts on their faces in the same way.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) readonly buffer PressureIn { float pressureIn[]; };  // q = p dt / rho [m^2/s]
FLOATS_IN(3, potential);  // [m/s], see presmooth_pressure.comp
layout(push_constant, scalar) uniform Push { FloatFieldIn potentialAddress; BodyPush push; };

// Share of a face that obstacles leave open. The aperture does not contain it if a wall or an inflow closes the face. It is then computed
// from the distance, to first order.
float besideBodies(ivec3 face, int axis) {
    if (sideOfFace(face, axis) <= WISP_OPEN) return texelFetch(aperture, texelOf(face), 0)[axis];
    int n;
    return clamp(0.5 + obstacleDistance(worldPoint(facePoint(face, axis)), n) / sim.h, 0.0, 1.0);
}

// Adds what q of `edge`^3 cells from `first` on does. `arm`: from the centre of the obstacle's rotation minus a point.
void addCells(inout vec3 force, inout vec3 torque, ivec3 first, int edge, float q, vec3 arm) {
    for (int n = 0; n < 2 * kAxes * edge * edge; ++n) {
        int axis = n / (2 * edge * edge), side = n / (edge * edge) % 2;
        ivec3 face = first + (n % edge) * unit((axis + 1) % 3) + (n / edge % edge) * unit((axis + 2) % 3);
        face[axis] = min(face[axis] + side * edge, sim.cells[axis]);
        if (!faceExists(face, axis)) continue;
        vec3 onFace = q * besideBodies(face, axis) * vec3(unit(axis)) * (side == 0 ? 1.0 : -1.0);  // -q a_f n_f
        force += onFace;
        torque += cross(arm + worldPoint(facePoint(face, axis)), onFace);
    }
}

void add(inout float v[8], ivec3 C) {
    int r = sim.ratio;
    vec3 centre = worldPoint(kFlat ? vec3((vec2(C.xy) + 0.5) * float(r), 0.5) : (vec3(C) + 0.5) * float(r));
    vec3 force = vec3(0.0), torque = vec3(0.0);
    NearestObstacle o = nearestObstacle(centre);
    if (o.index != push.index || abs(o.distance) > float(2 * r) * sim.h) return;
    addCells(force, torque, C * r, r, pressureIn[cellIndex(PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0), C)], o.r - centre);
    for (int n = 0; n < (kRatio == 1 ? 0 : kFlat ? r * r : r * r * r); ++n) {
        ivec3 c = C * r + ivec3(n % r, n / r % r, n / (r * r));
        if (!outside(c, sim.cells) && (!kSparse || isActive(c, 1)))
            addCells(force, torque, c, 1, -sim.h * LOAD_FLOAT(potential, placeOf(c)), o.r - centre);
    }
    float scale = push.factor * sim.h * sim.h;
    for (int axis = 0; axis < 3; ++axis) {
        v[axis] += scale * force[axis];
        v[3 + axis] += scale * torque[axis];
    }
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < noUnroll(cellsOf(push.size)); n += nextValue()) add(v, push.first + numberedCell(n, push.size));
    reduceGroup(v);
}
