#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
// Moves the velocity at cell centres to the new position of the box, like scroll_faces.comp. Cells that enter have no gusts: they only
// affect the vorticity of the next step.
VECTORS_IN(1, before);
VECTORS_OUT(2, after);
layout(push_constant, scalar) uniform Push { VectorsIn beforeAddress; VectorsOut afterAddress; ivec3 shift; vec3 wind; };

void main() {
    ivec3 c = cell(), from = c + shift;
    if (outside(c, sim.cells)) return;
    vec4 u = outside(from, sim.cells) ? vec4(wind, 0.0) : LOAD(before, cellIndex(from, sim.cells));
    STORE(after, cellIndex(c, sim.cells), u)
}
