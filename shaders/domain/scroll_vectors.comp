#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
// Velocity at cell centres where the box has come to, as scroll_faces.comp; of what enters without gusts, which are of the next step's
// vorticity alone.
VECTORS_IN(1, before);
VECTORS_OUT(2, after);
layout(push_constant, scalar) uniform Push { VectorsIn beforeAddress; VectorsOut afterAddress; ivec3 shift; vec3 wind; };

void main() {
    ivec3 c = cell(), from = c + shift;
    if (outside(c, sim.cells)) return;
    vec4 u = outside(from, sim.cells) ? vec4(wind, 0.0) : LOAD(before, placeOf(from, sim.cells));
    STORE(after, placeOf(c, sim.cells), u)
}
