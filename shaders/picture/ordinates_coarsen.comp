#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/light_window.glsl"
#include "shared/flames.glsl"
#include "shared/lights.glsl"
#include "shared/light_root.glsl"
#include "shared/lamp_cell.glsl"
// Coarsens the medium of the discrete ordinates to about half as many cells along an edge: mean extinction; albedo weighted by extinction;
// transmittances weighted by scattering; mean emission of flames.
layout(binding = 3) uniform sampler3D mediumIn;  // see ordinates_medium.comp
layout(binding = 4) uniform sampler3D reachIn;
layout(binding = 5) uniform writeonly image3D mediumOut;
layout(binding = 6) uniform writeonly image3D reachOut;
layout(binding = 7) uniform sampler3D glowIn;
layout(binding = 8) uniform writeonly image3D glowOut;
layout(push_constant, scalar) uniform Push { int level; };  // index of the coarser grid, see LightWindow; -1: all of it is used

void main() {
    ivec3 c = cell(), finer = level >= 0 ? lightWindow.ordinateCells[level + 1] : textureSize(mediumIn, 0),
          size = level >= 0 ? lightWindow.ordinateCells[level] : imageSize(mediumOut);
    if (outside(c, size)) return;
    // Both grids fill the lit part of the box. With an odd number of cells, parts of a fine cell lie in two coarse cells.
    vec3 share = vec3(finer) / vec3(size), low = vec3(c) * share, high = low + share;
    ivec3 first = ivec3(low + 1e-3);
    vec4 medium = vec4(0.0), reach = vec4(0.0), glow = vec4(0.0);
    vec4 lamps = vec4(1.0);
    for (int l = 0; l < kLights; ++l)
        if (!isKind(l, WISP_SUN)) lamps[l] = lampAtCell(l, c, size);
    float scattering = 0.0, number = 0.0, edge = litSize().x / float(size.x), fineEdge = litSize().x / float(finer.x);
    ivec3 span = ivec3(ceil(high - 1e-3)) - first;  // two along an axis; three where parts of cells count
    for (int n = 0; n < span.x * span.y * span.z; ++n) {
        ivec3 f = first + ivec3(n % span.x, n / span.x % span.y, n / (span.x * span.y));
        vec3 parts = min(high, vec3(f + 1)) - max(low, vec3(f));
        if (outside(f, finer)) continue;
        vec4 here = texelFetch(mediumIn, f, 0);
        float part = parts.x * parts.y * parts.z, weight = part * here.a * max(here.r, max(here.g, here.b));
        medium += part * vec4(here.rgb * here.a, here.a);
        if (kFire) glow += part * vec4(vec3(1.0 / (fineEdge * linearShare(fineEdge * here.a))), 1.0) * texelFetch(glowIn, f, 0);
        vec4 light = texelFetch(reachIn, f, 0) / lamps;
        for (int l = 0; l < kLights; ++l)
            if (!isKind(l, WISP_SUN)) light[l] *= lampAtCell(l, f, finer);
        reach += weight * light;
        scattering += weight;
        number += part;
    }
    imageStore(mediumOut, c, vec4(medium.rgb / max(medium.a, 1e-20), medium.a / number));
    imageStore(reachOut, c, reach / max(scattering, 1e-20));
    if (!kFire) return;
    imageStore(glowOut, c, vec4(vec3(edge * linearShare(edge * medium.a / number)), 1.0) * glow / number);
}
