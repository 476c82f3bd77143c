#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/depth_along.glsl"
#include "shared/ordinates.glsl"
#include "shared/fire_lights.h"
layout(local_size_x = WISP_FIRE_CELLS, local_size_y = WISP_ORDINATES) in;
// Lights in place of a fire, for surfaces. Each stands for one part, see fire_box.comp. Its intensity is the light that leaves the smoke in
// a direction, to first order in spherical harmonics: sum over its cells of source times transmittance, in the directions of the ordinates.
// The source is the light that flames send out. Once the ordinates are known, it also contains the light that is scattered among the
// flames. Threads of a group: cells along x, their directions along y.
layout(binding = 3) uniform sampler3D glow;  // see ordinates_medium.comp
layout(binding = 4) uniform sampler3D medium;
layout(binding = 6) uniform sampler3D sources;  // of the ordinates, see ordinates.comp
layout(push_constant, scalar) uniform Push { int scatters; };  // 1: they are known
layout(binding = 5, scalar) buffer FireLightsOut { FireLights fireLightsOut; };
const int kAtOnce = 4;
const int kThreads = WISP_FIRE_CELLS * WISP_ORDINATES;
shared vec3 sums[kThreads];

ivec3 cells() { return kSparse ? lightWindow.ordinateCells[2] : textureSize(glow, 0); }

// Optical depth from the centre of cell c along w.
float depthFrom(vec3 u, vec3 w) {
    float edge = litSize().x / float(cells().x), depth = 0.0;
    vec3 s = edge * w / litSize(), rim = 0.5 / vec3(cells());
    float way = leave(u, s);
    for (float t = 0.0, d = 1.0; t < way && depth < 12.0; t += float(kAtOnce) * d) {
        d = max(0.25 * t, 1.0);  // far away, steps are longer
        [[unroll]] for (int n = 0; n < kAtOnce; ++n) {  // fetches of several steps together, because a single step would wait for its own
            float begin = t + float(n) * d, part = clamp(way - begin, 0.0, d);
            vec3 at = inVolume(clamp(u + (begin + 0.5 * part) * s, rim, 1.0 - rim), cells(), textureSize(glow, 0));
            depth += textureLod(glow, at, 0.0).a * edge * part;
        }
    }
    return depth;
}

int opposite(int k) { return k < 6 ? k ^ 1 : 19 - k; }

// Light that cell c sends out into direction k [W/(m^3 sr)]. Sources belong to the direction from which light comes.
vec3 emissionInto(ivec3 c, int k) {
    float extinction = texelFetch(medium, c, 0).a;
    if (scatters == 0) return texelFetch(glow, c, 0).rgb * extinction;
    return fromRoot(texelFetch(sources, inAtlas(c, textureSize(glow, 0), opposite(k)), 0).rgb) * extinction;
}

vec3 total(vec3 own) {
    int i = int(gl_LocalInvocationIndex);
    barrier();
    sums[i] = own;
    for (int s = 512; s > 0; s >>= 1) {
        barrier();
        if (i < s && i + s < kThreads) sums[i] += sums[i + s];
    }
    barrier();
    return sums[0];
}

void main() {
    ivec3 parts = fireLightsOut.parts, size = cells();
    int part = int(gl_WorkGroupID.x), i = int(gl_LocalInvocationID.x), k = int(gl_LocalInvocationID.y);
    if (part >= parts.x * parts.y * parts.z) return;
    ivec3 p = ivec3(part % parts.x, part / parts.x % parts.y, part / (parts.x * parts.y)), low = fireLightsOut.low + p * fireLightsOut.edge,
          span = min(ivec3(fireLightsOut.edge), size - low);
    vec3 w = ordinate(k), intensity = vec3(0.0), edge = litSize() / vec3(size);
    vec4 moment = vec4(0.0);  // of the luminance: [W/sr], times position
    float square = 0.0;
    for (int n = i; n < span.x * span.y * span.z; n += WISP_FIRE_CELLS) {
        ivec3 c = low + ivec3(n % span.x, n / span.x % span.y, n / (span.x * span.y));
        vec3 emission = emissionInto(c, k);
        if (emission == vec3(0.0)) continue;
        vec3 u = (vec3(c) + 0.5) / vec3(size), x = litLow() + u * litSize();
        vec3 I = edge.x * edge.y * edge.z * exp(-depthFrom(u, w)) * emission;
        float power = ordinateWeight(k) * dot(I, vec3(0.2126, 0.7152, 0.0722));
        vec3 beside = x - sim.origin;
        intensity += I;
        moment += power * vec4(beside, 1.0);
        square += power * (dot(beside, beside) + dot(edge, edge) / 12.0);
    }
    vec3 along = 3.0 * ordinateWeight(k) * w;
    vec3 mean = total(ordinateWeight(k) * intensity), alongX = total(along.x * intensity), alongY = total(along.y * intensity),
         alongZ = total(along.z * intensity), first = total(moment.xyz), second = total(vec3(moment.w, square, 0.0));
    if (gl_LocalInvocationIndex > 0u) return;
    vec3 centre = first / max(second.x, 1e-30);
    fireLightsOut.lights[part] =
        FireLight(sim.origin + centre, max(second.y / max(second.x, 1e-30) - dot(centre, centre), 0.0), mean, alongX, alongY, alongZ);
}
