// SPDX-License-Identifier: MIT
// Needs shared/grid.glsl.
#include "shared/tracers.h"
#include "shared/random.glsl"
#include "shared/out_of_obstacles.glsl"
layout(local_size_x = WISP_TRACER_GROUP) in;
layout(push_constant, scalar) uniform Push { TracersPush push; };

// A random position in the box outside obstacles; 0 if four tries do not find one.
vec4 born(uint n, float left) {
    Random random = Random(uvec3(n, push.step, push.seed), 0u);
    for (int tries = 0; tries < 4; ++tries) {
        vec3 p = uniform4(random).xyz * vec3(sim.cells);
        if (kFlat) p.z = 0.5;
        if (obstacleAt(p) > 0.0) return vec4(p, left);
    }
    return vec4(0.0);
}
