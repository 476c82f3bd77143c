// SPDX-License-Identifier: MIT
// Value of an initial field in a scalar cell. Needs shared/grid.glsl, shared/shapes.glsl.
#include "shared/initial.glsl"
layout(binding = 3) uniform sampler3D aperture;
layout(push_constant, scalar) uniform Push { ShapePush push; };

// Like amount; 0 outside the grid and in solid cells.
vec4 amountAt(ivec3 c) {
    if (outside(c, sim.scalarCells) || texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0) return vec4(0.0);
    return amount(push, worldPoint(scalarPoint(c)));
}
