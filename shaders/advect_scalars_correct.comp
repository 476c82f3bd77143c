#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/sampling.glsl"
#include "shared/paths.glsl"
#include "shared/clamping.glsl"
#include "shared/near_solid.glsl"
#include "shared/reached.glsl"
// MacCormack for density and temperature, and for density times colour, as advect_velocity_correct.comp.
layout(binding = 3) uniform sampler3D scalarsIn;
layout(binding = 4) uniform sampler3D forward;   // advect_scalars' result
layout(binding = 5) uniform writeonly image3D scalarsOut;
layout(binding = 7) uniform sampler3D scalarsInLeast;
layout(binding = 8) uniform sampler3D scalarsInGreatest;
VECTORS_IN(1, back);  // displacements of trace.comp
VECTORS_IN(6, ahead);
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; VectorsIn aheadAddress; vec4 keep; int clamped; };
SCALAR_DISPLACEMENT(back)
SCALAR_DISPLACEMENT(ahead)

vec4 corrected(ivec3 c) {
    vec4 value = texelFetch(forward, c, 0);
    vec3 s = scalarsPerCell(), p = scalarPoint(c), from = p + backOfScalar(c), to = p + aheadOfScalar(c);
    if (!insideBox(from) || !insideBox(to)) return value;
    if (nearSolid(scalarDistance(c), p, from, to)) return value;
    value += 0.5 * (texelFetch(scalarsIn, c, 0) - sampleLinear(forward, to * s, sim.perScalar));
    if (unforeseen(clamped) == 0) return value;
    vec4 low, high;
    if (kReductions && !kExactFilter) {
        low = textureLod(scalarsInLeast, from * s * sim.perScalar, 0.0);
        high = textureLod(scalarsInGreatest, from * s * sim.perScalar, 0.0);
    } else {
        bounds(scalarsIn, ivec3(floor(from * s - 0.5)), sim.scalarCells - 1, low, high);
    }
    return clamp(value, low, high);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    // Between bounds of 0 there is nothing to correct; without bounds no brick is left out.
    imageStore(scalarsOut, c, isReached(c) ? toStorage(keep * corrected(c)) : vec4(0.0));
}
