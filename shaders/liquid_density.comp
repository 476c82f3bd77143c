#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid.glsl"
// Share of the room around a cell's centre that is full of liquid: sum_p V w(x_p) by linear weights, V a particle's volume, over
// the sum of the same weights where there is no solid. A little above 1 where particles are crowded.
layout(binding = 1, scalar) readonly buffer Places { vec4 places[]; };
layout(binding = 2, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 3) uniform sampler3D openness;
layout(binding = 4, scalar) writeonly buffer DensityOut { float densityOut[]; };
layout(push_constant, scalar) uniform Push { float volume; };  // of a particle [cells]
const float kLeastRoom = 0.125;  // of a cell in a corner of three walls with half of it closed

// Linear weights, integrated over the cells around: 3/4 for the middle one along each axis, 1/8 for the others.
float roomAround(ivec3 c) {
    float room = 0.0;
    for (int n = 0; n < rolled(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1, near = c + o;
        vec3 w = mix(vec3(0.75), vec3(0.125), notEqual(o, ivec3(0)));
        float open = outside(near, sim.cells) ? (beyondOpenSide(vec3(near) + 0.5) ? 1.0 : 0.0) : texelFetch(openness, near, 0).w;
        room += w.x * w.y * w.z * open;
    }
    return room;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    ivec3 low = max(c - 1, ivec3(0)), high = min(c + 1, sim.cells - 1);
    float sum = 0.0;
    for (int z = low.z; z <= high.z; ++z) {
        for (int y = low.y; y <= high.y; ++y) {
            uint row = placeOf(ivec3(0, y, z), sim.cells), end = cellFirst[row + uint(high.x) + 1u];
            for (uint n = cellFirst[row + uint(low.x)]; n < end; ++n) {
                vec3 w = linear(places[n].xyz - vec3(c) - 0.5);
                sum += w.x * w.y * w.z;
            }
        }
    }
    densityOut[placeOf(c, sim.cells)] = sum > 0.0 ? volume * sum / max(roomAround(c), kLeastRoom) : 0.0;
}
