#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/depth_along.glsl"
#include "shared/ordinates.glsl"
#include "shared/flames.glsl"
#include "shared/fire_lights.h"
layout(local_size_x = WISP_FIRE_THREADS) in;
// Light that leaves each part of a fire in each direction of the ordinates: the sum over its cells of source times transmittance. For the
// parts see fire_box.comp. The source is the light that flames send out. Once the ordinates are known, it also contains the light that is
// scattered among the flames. A group has one part and direction.
layout(binding = 3) uniform sampler3D glow;  // see ordinates_medium.comp
layout(binding = 4) uniform sampler3D medium;
layout(binding = 6) uniform sampler3D sources;  // of the ordinates, see ordinates.comp
layout(push_constant, scalar) uniform Push { int scatters; };  // 1: they are known
layout(binding = 5, scalar) buffer FireLightsOut { FireLights fireLightsOut; };
const int kAtOnce = 4;
shared FireBeam sums[WISP_FIRE_THREADS];

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
    float extinction = texelFetch(medium, c, 0).a, edge = litSize().x / float(cells().x), share = linearShare(edge * extinction);
    vec3 flames = texelFetch(glow, c, 0).rgb / edge;  // the linear part
    if (scatters == 0) return flames / share;
    return flames + texelFetch(sources, inAtlas(c, textureSize(glow, 0), opposite(k)), 0).rgb * extinction;
}

void add(inout FireBeam to, FireBeam more) {
    to.intensity += more.intensity;
    to.power += more.power;
    to.moment += more.moment;
    to.square += more.square;
}

FireBeam beamOf(ivec3 c, int k) {
    ivec3 size = cells();
    vec3 emission = emissionInto(c, k);
    if (emission == vec3(0.0)) return FireBeam(vec3(0.0), 0.0, vec3(0.0), 0.0);
    vec3 u = (vec3(c) + 0.5) / vec3(size), edge = litSize() / vec3(size), beside = litLow() - sim.origin + u * litSize();
    vec3 I = edge.x * edge.y * edge.z * exp(-depthFrom(u, ordinate(k))) * emission;
    float power = dot(I, vec3(0.2126, 0.7152, 0.0722));
    return FireBeam(I, power, power * beside, power * (dot(beside, beside) + dot(edge, edge) / 12.0));
}

void main() {
    ivec3 parts = fireLightsOut.parts;
    int beam = int(gl_WorkGroupID.x), part = beam / WISP_ORDINATES, k = beam % WISP_ORDINATES, i = int(gl_LocalInvocationIndex);
    if (part >= parts.x * parts.y * parts.z) return;
    ivec3 p = ivec3(part % parts.x, part / parts.x % parts.y, part / (parts.x * parts.y)), low = fireLightsOut.low + p * fireLightsOut.edge,
          span = min(ivec3(fireLightsOut.edge), cells() - low);
    FireBeam sum = FireBeam(vec3(0.0), 0.0, vec3(0.0), 0.0);
    for (int n = i; n < span.x * span.y * span.z; n += WISP_FIRE_THREADS)
        add(sum, beamOf(low + ivec3(n % span.x, n / span.x % span.y, n / (span.x * span.y)), k));
    sums[i] = sum;
    for (int s = WISP_FIRE_THREADS / 2; s > 0; s >>= 1) {
        barrier();
        if (i < s) add(sums[i], sums[i + s]);
    }
    if (i == 0) fireLightsOut.beams[beam] = sums[0];
}
