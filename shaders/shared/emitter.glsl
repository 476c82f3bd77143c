// SPDX-License-Identifier: MIT
// How an emitter changes the density of a scalar cell. Needs shared/grid.glsl, shared/shapes.glsl.
#include "shared/shape_push.h"
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 3) uniform sampler3D aperture;
layout(push_constant, scalar) uniform Push { ShapePush push; };

// Rises smoothly from 0 one cell outside the surface of the emitter to 1 one cell inside. If the edge lay inside, emitters would be smaller
// on coarse grids. 0 outside the grid and in solid cells.
float profileAt(ivec3 c) {
    if (outside(c, sim.scalarCells) || !isSmokeStored(c)) return 0.0;
    vec3 x = worldPoint(scalarPoint(c));
    float profile = smoothstep(-sim.h, sim.h, -layerDistance(push.shape, push.shell, x));
    return profile == 0.0 || texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0 ? 0.0 : profile;
}

// Raises the density to at least that of the emitter, and adds the emitter's rate.
float emittedDensity(float density, float profile) {
    if (push.density > 0.0) density = max(density, push.density * profile);
    return max(density + push.densityRate * sim.dt * profile, 0.0);
}
