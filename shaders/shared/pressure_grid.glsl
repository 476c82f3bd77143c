// SPDX-License-Identifier: MIT
// Reads the pressure on the pressure grid. Needs shared/grid.glsl.
#include "shared/poisson.glsl"
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };

PressureLevel pressureGrid() { return PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0); }
float pressureAt(ivec3 C) {
    C = wrappedOnce(C, sim.pressureCells);
    return outside(C, sim.pressureCells) ? 0.0 : pressureIn[cellIndex(pressureGrid(), C)];
}
