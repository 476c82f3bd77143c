// SPDX-License-Identifier: MIT
// Whether a trilinear sample at p touches a cell that is partly solid. Needs shared/grid.glsl and shared/sampling.glsl.
layout(binding = 2) uniform sampler3D openness;
bool nearSolid(vec3 p) { return sim.obstacleCount > 0 && sampleLinear(openness, p).w < 0.999 && !outside(ivec3(p), sim.cells); }
bool solidCell(ivec3 c) { return sim.obstacleCount > 0 && texelFetch(openness, clamp(c, ivec3(0), sim.cells - 1), 0).w == 0.0; }
