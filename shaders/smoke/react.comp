#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/sampling.glsl"
#include "shared/paths.glsl"
#include "shared/reached.glsl"
#include "shared/expansion.glsl"
#include "shared/fire.h"
// Combustion, in closed forms that do not depend on the time step. Scalars are density s, temperature above ambient T [K], fuel Y, and
// the divergence D [1/s] of gas that is heated or cools, which the next projection leaves. Fuel burns where it is hot enough:
//   dY/dt = -k Y, or -4 k Y (1 - Y) where it mixes by diffusion;  dT/dt = heat (-dY/dt) - cooling (T / heat)^4;  D = d ln(ambient + T)/dt
// The heat of a step comes first, then it radiates (Nguyen, Fedkiw, Jensen 2002). Smoke thins out by the divergence of the flow that has
// moved it in this step. In place.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform sampler3D aperture;
layout(binding = 4) uniform sampler3D coloursIn;
layout(binding = 5) uniform writeonly image3D coloursOut;
layout(binding = 6) uniform sampler3D velocity;  // projected, on faces; w: see shared/expansion.glsl
VECTORS_IN(7, back);  // displacements of backtrace.comp
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; FirePush push; };
SCALAR_DISPLACEMENT(back)

layout(constant_id = 10) const bool kHasColours = false;

// Share of fuel that is left after a step.
float unburnt(float Y) {
    if (push.mixing == WISP_PREMIXED) return Y * exp(-push.burnt);
    float e = exp(-4.0 * push.burnt);
    return Y * e / (1.0 - Y + Y * e);
}

float cooled(float T) { return T > 0.0 ? T * pow(1.0 + push.cooled * T * T * T, -1.0 / 3.0) : T; }

// Factor of densities in a step. Between two cell centres the sampled velocity is linear, so that its divergence at a centre is a mean over
// the neighbours (1, 2, 1) along an axis: two samples half a cell away have these weights. Taken in the middle of the path.
float thinning(ivec3 c) {
    if (!kExpands) return 1.0;
    vec3 middle = scalarPoint(c) + 0.5 * backOfScalar(c);
    float D = sampleStoredFaces(velocity, amongCells(middle + 0.5)).w + sampleStoredFaces(velocity, amongCells(middle - 0.5)).w;
    return exp(-0.5 * sim.dt * D);
}

bool skips(ivec3 c) { return outside(c, sim.scalarCells) || !isReached(c) || texelFetch(scalarsIn, scalarTexel(c), 0) == vec4(0.0); }

void compute(ivec3 c) {
    ivec3 texel = scalarTexel(c);
    vec4 s = texelFetch(scalarsIn, texel, 0);
    bool isSolid = texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0;
    float T = s.y, Y = T >= push.ignition && !isSolid ? unburnt(s.z) : s.z, B = s.z - Y, hot = isSolid ? T : cooled(T + push.heat * B);
    float D = push.expansion * log(max(push.ambient + hot, 1.0) / max(push.ambient + T, 1.0)) / sim.dt, thin = thinning(c);
    imageStore(scalarsOut, texel, toStorage(vec4(thin * s.x + push.soot * B, hot, Y, D)));
    if (kHasColours) imageStore(coloursOut, texel, toStorage(thin * texelFetch(coloursIn, texel, 0) + push.sootColour * B));
}
#include "shared/each_cell.glsl"
