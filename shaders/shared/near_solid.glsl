// SPDX-License-Identifier: MIT
// Where samples touch cells that are partly or wholly solid. Needs shared/grid.glsl, shared/sampling.glsl.
layout(binding = 2) uniform sampler3D openness;
layout(binding = 12) uniform sampler3D solidDistance;  // [cells], see obstacles.comp

// Past the last cells the texture holds faces only, with 0 in w: stay half a cell inside.
bool touchesSolid(vec3 p) { return sampleLinear(openness, clamp(p, vec3(0.5), vec3(sim.cells) - 0.5), sim.perFace).w < 0.999; }

// Whether a trilinear sample of the cells at p, `from` or `to` touches a cell that is partly solid. `distance` [cells] is
// no more than that of p to the nearest obstacle: a sample reaches sqrt(3) cells, a cut cell .87 (see obstacles.comp), so
// that most points need not look. .02: half a unit in the last place of the distances that half storage holds.
bool nearSolid(float distance, vec3 p, vec3 from, vec3 to) {
    float reach = 2.61 + 0.02 + sqrt(max(dot(from - p, from - p), dot(to - p, to - p)));
    if (distance > reach) return false;
    return touchesSolid(p) || touchesSolid(from) || touchesSolid(to);
}

// A lower bound of the distance of p to the nearest obstacle [cells]: its cell's, less the way to the centre, because a
// distance changes by no more than the way. Exact at a centre.
float obstacleCells(vec3 p) {
    if (sim.obstacleCount == 0) return 1e30;
    ivec3 c = clamp(ivec3(floor(p)), ivec3(0), sim.cells - 1);
    return texelFetch(solidDistance, c, 0).x - distance(p, vec3(c) + 0.5);
}

bool solidCell(ivec3 c) { return sim.obstacleCount > 0 && texelFetch(openness, clamp(c, ivec3(0), sim.cells - 1), 0).w == 0.0; }
