#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/occupancy.glsl"
#include "shared/ordinates.glsl"
#include "shared/flames.glsl"
#include "shared/lights.glsl"
#include "shared/light_root.glsl"
#include "shared/lamp_cell.glsl"
// Means over the cells of the finest grid of the discrete ordinates: extinction [1/m]; albedo weighted by extinction; transmittances to the
// lights weighted by density, because the smoke scatters their light. Obstacles are black and opaque.
// With fire also the light of flames that is interpolated linearly, linearShare * emission * edge [W/(m^2 sr)]: at most about twice the
// radiance of a thick flame, so that halves hold it. The emission grows steeply with the temperature, so cells with few samples take more.
// Threads of a group: cells along x, shares of their samples along y.
layout(local_size_x = WISP_MEDIUM_CELLS, local_size_y = WISP_MEDIUM_THREADS) in;
layout(binding = 3) uniform sampler3D light;  // roots of transmittances, see light_volume.comp
layout(binding = 4) uniform writeonly image3D mediumOut;  // rgb albedo, a extinction
// transmittance to each sun; mean light of each lamp over its power and lampAtCell, which is not in the range of half floats everywhere
layout(binding = 5) uniform writeonly image3D reachOut;
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

// Sums over samples of a cell.
struct Sums {
    float density;
    vec3 colour, emission;
    vec4 reach;
};
shared Sums shares[WISP_MEDIUM_THREADS][WISP_MEDIUM_CELLS];

void add(inout Sums to, Sums more) {
    to.density += more.density;
    to.colour += more.colour;
    to.emission += more.emission;
    to.reach += more.reach;
}

// Beside a lamp more samples are taken: light is much stronger in one part of a cell than in another, where there may be no smoke.
bool isNearLamp(ivec3 c, ivec3 size) {
    vec3 edge = litSize() / vec3(size), x = litLow() + (vec3(c) + 0.5) * edge;
    bool near = false;
    for (int n = 0; n < kLights; ++n) near = near || (mayBeNear(n) && lightDistance(n, x) < 2.0 * edge.x);
    return near;
}

// Every WISP_MEDIUM_THREADS-th sample of cell c, from the given one on.
Sums sumsOf(ivec3 c, ivec3 size, ivec3 samples, int first) {
    Sums sum = Sums(0.0, vec3(0.0), vec3(0.0), vec4(0.0));
    bool areMany = samples.x >= 4;
    for (int i = first; i < samples.x * samples.y * samples.z; i += WISP_MEDIUM_THREADS) {
        ivec3 s = ivec3(i % samples.x, i / samples.x % samples.y, i / (samples.x * samples.y));
        int n = 8 * (c.x + 41 * c.y + 67 * c.z + s.x + 5 * s.y + 13 * s.z);
        vec3 within = kFire && areMany ? pointIn(n) : vec3(0.5);
        vec3 at = litLow() + (vec3(c) + (vec3(s) + within) / vec3(samples)) / vec3(size) * litSize();
        vec2 greatest = kFire ? greatestOf(at) : vec2(0.0);
        if (kFire && greatest.x == 0.0) continue;
        vec4 smoke = smokeAt(at), root = textureLod(light, lightPoint(at), 0.0), T = root * root;
        float density = densityOf(smoke);
        T *= T;
        for (int l = 0; l < kLights; ++l)
            if (!isKind(l, WISP_SUN)) T[l] = lampOverBox(l, root[l], at, litSize() / vec3(size * samples)) / lampAtCell(l, c, size);
        vec3 emission = vec3(0.0);
        if (kFire && areMany) emission = emissionOf(at, smoke);
        else if (isGlowing(greatest)) emission = emissionAround(at, litSize() / vec3(size * samples), n);
        add(sum, Sums(density, density * albedoAt(at, smoke), emission, density * T));
    }
    return sum;
}

void main() {
    ivec3 cells = kSparse ? lightWindow.lightCells : textureSize(light, 0),
          size = kSparse ? lightWindow.ordinateCells[2] : imageSize(mediumOut);
    int i = int(gl_LocalInvocationID.x), k = int(gl_LocalInvocationID.y), n = int(gl_GlobalInvocationID.x);
    ivec3 c = ivec3(n % size.x, n / size.x % size.y, n / (size.x * size.y));
    // A sample between two texels is the mean of both.
    ivec3 samples = max((cells + size - 1) / size, 1);
    if (isNearLamp(c, size)) samples *= 3;
    bool inside = c.z < size.z;
    if (inside) shares[k][i] = sumsOf(c, size, samples, k);
    barrier();
    if (!inside || k > 0) return;
    Sums sum = shares[0][i];
    for (int l = 1; l < WISP_MEDIUM_THREADS; ++l) add(sum, shares[l][i]);
    float edge = litSize().x / float(size.x), number = float(samples.x * samples.y * samples.z);
    float extinction = view.extinction * sum.density / number;
    float solid = solidExtinction(litLow() + (vec3(c) + 0.5) / vec3(size) * litSize(), edge);
    float smoke = extinction / max(extinction + solid, 1e-20);
    imageStore(mediumOut, c, vec4(smoke * sum.colour / max(sum.density, 1e-20), min(extinction + solid, 65504.0)));
    imageStore(reachOut, c, sum.reach / max(sum.density, 1e-20));
    if (!kFire) return;
    vec3 flames = linearShare(edge * (extinction + solid)) * edge * sum.emission / number;
    imageStore(glowOut, c, vec4(min(flames, 65504.0), extinction));
}
