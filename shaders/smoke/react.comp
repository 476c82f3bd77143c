#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/reached.glsl"
#include "shared/fire.h"
// Combustion, in closed forms that do not depend on the time step. Scalars are density s, temperature above ambient T [K], fuel Y, and
// the divergence D [1/s] of gas that is heated or cools, which the next projection leaves. Fuel burns where it is hot enough:
//   dY/dt = -k Y, or -4 k Y (1 - Y) where it mixes by diffusion;  dT/dt = heat (-dY/dt) - cooling (T / heat)^4;  D = d ln(ambient + T)/dt
// The heat of a step comes first, then it radiates (Nguyen, Fedkiw, Jensen 2002). Smoke and soot thin out as the gas expands. In place.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform sampler3D aperture;
layout(binding = 4) uniform sampler3D coloursIn;
layout(binding = 5) uniform writeonly image3D coloursOut;
layout(push_constant, scalar) uniform Push { FirePush push; };

layout(constant_id = 10) const bool kHasColours = false;

// Share of fuel that is left after a step.
float unburnt(float Y) {
    if (push.mixing == WISP_PREMIXED) return Y * exp(-push.burnt);
    float e = exp(-4.0 * push.burnt);
    return Y * e / (1.0 - Y + Y * e);
}

float cooled(float T) { return T > 0.0 ? T * pow(1.0 + push.cooled * T * T * T, -1.0 / 3.0) : T; }

void compute(ivec3 c) {
    if (outside(c, sim.scalarCells) || !isReached(c)) return;
    ivec3 texel = scalarTexel(c);
    vec4 s = texelFetch(scalarsIn, texel, 0);
    if (s == vec4(0.0)) return;
    bool isSolid = texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0;
    float T = s.y, Y = T >= push.ignition && !isSolid ? unburnt(s.z) : s.z, B = s.z - Y, hot = isSolid ? T : cooled(T + push.heat * B);
    float grown = push.expansion * log(max(push.ambient + hot, 1.0) / max(push.ambient + T, 1.0)), thinned = exp(-grown);  // D dt
    imageStore(scalarsOut, texel, toStorage(vec4((s.x + push.soot * B) * thinned, hot, Y, grown / sim.dt)));
    if (kHasColours) imageStore(coloursOut, texel, toStorage((texelFetch(coloursIn, texel, 0) + push.sootColour * B) * thinned));
}
#include "shared/each_cell.glsl"
