#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/occupancy.glsl"
#include "shared/ordinates.glsl"
// Means over the cells of the finest grid of the discrete ordinates: extinction [1/m]; albedo weighted by extinction; transmittances to the
// lights weighted by density, because the smoke scatters their light. Obstacles are black and opaque.
// With fire also the light that flames send out, over the extinction [W/(m^2 sr)]. It grows steeply with the temperature, so cells with few
// samples take more.
layout(binding = 3) uniform sampler3D light;  // fourth roots of transmittances, see light_volume.comp
layout(binding = 4) uniform writeonly image3D mediumOut;  // rgb albedo, a extinction
layout(binding = 5) uniform writeonly image3D reachOut;   // transmittance to each light
layout(binding = 6) uniform writeonly image3D glowOut;    // rgb light of flames, a extinction of smoke alone

// Points of a box, spread evenly: at the centres of cells a steep function has too large a mean, because ramps between cells end there.
vec3 pointIn(int n) { return fract(float(n & 8191) * vec3(0.8191725, 0.6710436, 0.5497005)); }  // powers of 1 / 1.2207441 (Roberts 2018)

// Mean of emissionOf over eight parts of a box around `at`.
vec3 emissionAround(vec3 at, vec3 size, int n) {
    vec3 sum = vec3(0.0);
    for (int k = 0; k < 8; ++k) {
        vec3 x = at + 0.5 * size * (vec3(k & 1, (k >> 1) & 1, k >> 2) + pointIn(n + k) - 1.0);
        sum += emissionOf(x, smokeAt(x));
    }
    return sum / 8.0;
}

void main() {
    ivec3 c = cell(), cells = kSparse ? lightWindow.lightCells : textureSize(light, 0);
    ivec3 size = kSparse ? lightWindow.ordinateCells[2] : imageSize(mediumOut);
    if (outside(c, size)) return;
    // A sample between two texels is the mean of both.
    ivec3 samples = max((cells + size - 1) / size, 1);
    float density = 0.0;
    vec3 colour = vec3(0.0), emission = vec3(0.0);
    vec4 reach = vec4(0.0);
    for (int z = 0; z < samples.z; ++z)
        for (int y = 0; y < samples.y; ++y)
            for (int x = 0; x < samples.x; ++x) {
                int n = 8 * (c.x + 41 * c.y + 67 * c.z + x + 5 * y + 13 * z);
                vec3 within = kFire && samples.x >= 4 ? pointIn(n) : vec3(0.5);
                vec3 at = litLow() + (vec3(c) + (vec3(x, y, z) + within) / vec3(samples)) / vec3(size) * litSize();
                vec4 smoke = smokeAt(at);
                float here = densityOf(smoke);
                vec4 root = textureLod(light, lightPoint(at), 0.0), T = root * root;
                density += here;
                reach += here * T * T;
                colour += here * albedoAt(at, smoke);
                if (samples.x >= 4) emission += emissionOf(at, smoke);
                else if (isGlowing(greatestOf(at))) emission += emissionAround(at, litSize() / vec3(size * samples), n);
            }
    float edge = litSize().x / float(size.x), extinction = view.extinction * density / float(samples.x * samples.y * samples.z);
    float solid = solidExtinction(litLow() + (vec3(c) + 0.5) / vec3(size) * litSize(), edge);
    float smoke = extinction / max(extinction + solid, 1e-20);
    imageStore(mediumOut, c, vec4(smoke * colour / max(density, 1e-20), min(extinction + solid, 65504.0)));
    imageStore(reachOut, c, reach / max(density, 1e-20));
    if (!kFire) return;
    emission /= float(samples.x * samples.y * samples.z) * max(extinction + solid, 1e-20);
    imageStore(glowOut, c, vec4(min(emission, 65504.0), extinction));
}
