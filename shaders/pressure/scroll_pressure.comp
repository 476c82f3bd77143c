#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/pressure_level.h"
// Moves the pressure cells to the new position of the box, as the initial guess of the next solve. 0 where nothing is known.
layout(binding = 1, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 2, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; ivec3 shift; };

void main() {
    ivec3 C = cell(), from = C + shift;
    if (outside(C, level.cells)) return;
    pressureOut[cellIndex(level, C)] = outside(from, level.cells) ? 0.0 : pressureIn[cellIndex(level, from)];
}
