#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid.glsl"
#include "shared/random.glsl"
// Where the liquid has become thin inside: cells with less than three particles, all of whose neighbours have as many or are solid
// (Ando, Thuerey, Tsuruno 2012). A bit for each part of the cell where one is to be born, of those that have none, from one by chance on.
// But only for those that have ended where they were too many, so that the liquid stays as much as it is: but for those of one step, and
// for births that come to nothing (no room, or an emitter fills the same part).
layout(binding = 1, scalar) readonly buffer Counts { uint counts[]; };
layout(binding = 2, scalar) readonly buffer Taken { uint taken[]; };
layout(binding = 3, scalar) writeonly buffer BirthsOut { uint birthsOut[]; };
layout(binding = 4) uniform sampler3D openness;
layout(binding = 5, scalar) readonly buffer Gone { uint gone[3]; };
layout(binding = 6, scalar) readonly buffer RebornIn { uint rebornIn; };
layout(binding = 7, scalar) buffer RebornOut { uint rebornOut; };  // begins with 0
layout(push_constant, scalar) uniform Push { LiquidNewborn push; };
const uint kLeast = 3u;

bool isFull(ivec3 c) {
    if (beyondOpenSide(vec3(c) + 0.5)) return false;
    return outside(c, sim.cells) || texelFetch(openness, c, 0).w == 0.0 || counts[placeOf(c, sim.cells)] >= kLeast;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint place = placeOf(c, sim.cells), own = counts[place], parts = uint(push.edge * push.edge * push.edge), births = 0u;
    bool inside = gone[2] > rebornIn && parts >= kLeast && own < kLeast && texelFetch(openness, c, 0).w == 1.0;
    for (int n = 0; n < rolled(27) && inside; ++n) inside = n == 13 || isFull(c + ivec3(n % 3, (n / 3) % 3, n / 9) - 1);
    uint first = hash4(uvec4(place, push.step, push.seed, 0u)).x;
    for (uint k = 0u; inside && k < parts && own + uint(bitCount(births)) < kLeast; ++k) births |= ~taken[place] & 1u << (first + k) % parts;
    birthsOut[place] = births;
    uint reborn = uint(bitCount(births)) + (place == 0u ? rebornIn : 0u);
    if (reborn > 0u) atomicAdd(rebornOut, reborn);
}
