// SPDX-License-Identifier: MIT
// How much of an initial field's value a scalar cell takes. Needs shared/grid.glsl, shared/shapes.glsl.
#include "shared/shape_push.h"
layout(binding = 3) uniform sampler3D openness;
layout(push_constant, scalar) uniform Push { ShapePush push; };

// Constant inside a shape, a Gaussian exp(-|x - centre|^2 / (2 radius^2)), or Zalesak's disc: a cylinder along z with a slot of
// width radius / 3 open towards -y.
float amount(vec3 x) {
    vec3 d = fromImage(x - push.shape.centre, 0);
    float r = push.shape.radius;
    if (push.field == WISP_FIELD_GAUSSIAN) return exp(-dot(d, d) / (2.0 * r * r));
    if (push.field == WISP_FIELD_ZALESAK) {
        bool slot = abs(d.x) < r / 6.0 && d.y < 2.0 / 3.0 * r;
        return length(d.xy) <= r && !slot ? 1.0 : 0.0;
    }
    return signedDistance(push.shape, x) <= 0.0 ? 1.0 : 0.0;
}

// 0 outside the grid and in solid cells.
float amountAt(ivec3 c) {
    if (outside(c, sim.scalarCells) || push.field == WISP_FIELD_TAYLOR_GREEN) return 0.0;
    if (texelFetch(openness, c / kScalarRatio, 0).w == 0.0) return 0.0;
    return amount(worldPoint(scalarPoint(c)));
}
