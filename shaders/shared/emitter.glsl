// SPDX-License-Identifier: MIT
// What an emitter makes of the density of a scalar cell. Needs shared/grid.glsl, shared/shapes.glsl.
#include "shared/shape_push.h"
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 3) uniform sampler3D openness;
layout(push_constant, scalar) uniform Push { ShapePush push; };

// Rises smoothly from 0 a cell outside the emitter's surface to 1 a cell inside: an edge that lay inside would make emitters on coarse
// grids smaller. 0 outside the grid and in solid cells.
float profileAt(ivec3 c) {
    if (outside(c, sim.scalarCells)) return 0.0;
    vec3 x = worldPoint(scalarPoint(c));
    float profile = smoothstep(-sim.h, sim.h, -signedDistance(push.shape, x));
    return profile == 0.0 || texelFetch(openness, c / kScalarRatio, 0).w == 0.0 ? 0.0 : profile;
}

// Held at least at the emitter's value, or added at its rate.
float emittedDensity(float density, float profile) {
    if (push.density > 0.0) density = max(density, push.density * profile);
    return max(density + push.densityRate * sim.dt * profile, 0.0);
}
