#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// Share of the open volume around a cell's centre that is full of liquid: sum_p V w(x_p) by linear weights, with the volume V of a
// particle, over the sum of the same weights outside solids. Slightly above 1 where particles are crowded.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) buffer Density { float density[]; };  // initially sum_p w(x_p), from liquid_to_grid
layout(push_constant, scalar) uniform Push { float volume; };  // of a particle [cells]
const float kLeastRoom = 0.125;  // open share of a cell in a corner of three walls, half of which is closed

// Linear weights, integrated over the cells around: 3/4 for the middle cell along each axis, 1/8 for the others.
float roomAround(ivec3 c, bool wanted) {
    float room = 0.0;
    for (int n = 0; n < noUnrollIf(wanted, 27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1, near = c + o;
        vec3 w = mix(vec3(0.75), vec3(0.125), notEqual(o, ivec3(0)));
        // always loaded, so that no branch precedes the load
        float inside = texelFetch(aperture, clamp(near, ivec3(0), sim.cells - 1), 0).w;
        float open = outside(near, sim.cells) ? (beyondOpenSide(vec3(near) + 0.5) ? 1.0 : 0.0) : inside;
        room += w.x * w.y * w.z * open;
    }
    return room;
}

bvec3 low(ivec3 c) { return equal(c, ivec3(0)); }
bvec3 high(ivec3 c) { return equal(c, sim.cells - 1); }
bool atOpenSide(ivec3 c) {
    vec3 open = vec3(low(c)) * vec3(notEqual(sim.sidesLow, ivec3(WISP_WALL))) +
        vec3(high(c)) * vec3(notEqual(sim.sidesHigh, ivec3(WISP_WALL)));
    return open != vec3(0.0);
}
// The same if neither an obstacle nor an open side is near: each wall takes an eighth.
float roomBesideWalls(ivec3 c) {
    vec3 room = 1.0 - 0.125 * (vec3(low(c)) + vec3(high(c)));
    return room.x * room.y * room.z;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells);
    float sum = density[index];
    if (sum == 0.0) return;
    bool isIrregular = atOpenSide(c) || obstaclesBeyond(vec3(c) + 0.5) < 2.0;
    density[index] = volume * sum / max(isIrregular ? roomAround(c, isIrregular) : roomBesideWalls(c), kLeastRoom);
}
