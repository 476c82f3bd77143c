#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/lights.glsl"
#include "shared/environment.glsl"
#include "shared/depth_along.glsl"
#include "shared/surface.glsl"
layout(binding = 11) uniform sampler3D light;
layout(binding = 12) uniform sampler3D sky;
#include "shared/light_volumes.glsl"
#include "shared/ground_light.glsl"
#include "shared/ordinates.glsl"
#include "shared/rounding.glsl"
#include "shared/phase.glsl"
#include "shared/flames.glsl"
#include "shared/lamp_cell.glsl"
layout(local_size_x = WISP_ORDINATE_GROUP, local_size_y = WISP_ORDINATES) in;
// Radiative transfer by discrete ordinates (Chandrasekhar 1950): a sweep computes I_k = sum along the ray of T (1 - exp(-tau)) q_k in each
// direction k to the side of the box, and then q_k = albedo (sum_l P_kl I_l + direct light) + emission. The source of a step is sampled at
// the mean position from which its light comes. This is exact for sources that are linear along the step, so that cells may be optically
// thick (the diffusion limit is preserved).
// All of it is linear in the light of lights, environment and flames: the picture of several lights is the sum of the pictures of each.
// Light must not choose weights, steps or numbers of sweeps, and iterates may be negative.
// Flames are single bright cells among dark ones, without smoke around them. A share of their light is therefore apart from q_k: see
// shared/flames.glsl.
// Threads of a group: cells along x, their directions along y.
layout(binding = 3) uniform sampler3D medium;        // see ordinates_medium.comp
layout(binding = 4) uniform sampler3D reach;
layout(binding = 5) uniform sampler3D sourceIn;      // q_k [W/(m^2 sr)], an atlas; a is 1 where there is smoke
layout(binding = 6) uniform sampler3D sourceBefore;  // the iterate before sourceIn, in the image that is written
layout(binding = 7) uniform writeonly image3D sourceOut;
// Towards the camera, over the albedo [W/(m^2 sr)]. With fire the light that comes straight from flames is apart, in the second half of z.
layout(binding = 8) uniform writeonly image3D scattered;
// P and its powers, row by row, then means and folds of the phase function: see compute/picture/ordinates.h
layout(binding = 9, scalar) readonly buffer PhaseTable { float phaseTable[]; };
#include "shared/small_angle.glsl"
layout(binding = 15) uniform sampler3D glow;  // see ordinates_medium.comp
layout(push_constant, scalar) uniform Push { OrdinatesPush push; };
// Cells of the grid.
ivec3 cells() { return kSparse ? lightWindow.ordinateCells[push.level] : push.cells; }
bool isBegin() { return opaqueToCompiler(push.begin) != 0; }
bool isToEye() { return opaqueToCompiler(push.toEye) != 0; }
shared vec3 radiances[WISP_ORDINATES][WISP_ORDINATE_GROUP];
// phaseMean from each light into each direction; in the sweep towards the camera rgb is the radiance that comes straight from flames
shared vec4 turns[WISP_ORDINATES][WISP_ORDINATE_GROUP];

// Mean of the phase function over the solid angle of a direction, for light that turns by this cosine [1/sr].
float phaseMean(float cosine) {
    float at = acos(clamp(cosine, -1.0, 1.0)) / kPi * float(WISP_PHASE_ANGLES);
    int n = min(int(at), WISP_PHASE_ANGLES - 1);
    return mix(phaseTable[WISP_PHASE_MEANS + n], phaseTable[WISP_PHASE_MEANS + n + 1], at - float(n));
}

// Radiance of the environment, or the ground, in direction w from x, beyond the smoke. When it is scattered, the means of the phase
// function over cones of 4 pi / 14 blur it again. The Legendre coefficients of these cones are 13/14 and 78/98, so the radiance is
// sharpened by their inverses. The ground takes the lower half of cones that lie along it.
vec3 surroundings(vec3 x, vec3 w) {
    if (kSparse) {  // obstacles outside the light window are black, as inside
        int hit;
        obstacleHit(x, w, kFar, hit);
        if (hit >= 0) return vec3(0.0);
    }
    float above = kHasGround ? 0.5 + 0.5 * sign(w.y) : 1.0;
    vec3 L = above > 0.0 ? above * environmentMean(w, 14.0 / 13.0, 98.0 / 78.0) : vec3(0.0);
    return above < 1.0 ? L + (1.0 - above) * groundAlong(x, normalize(vec3(w.x, min(w.y, -0.25), w.z))) : L;
}

const int kAtOnce = 4;
const float kOpaque = 1e-3;
float extinctionAt(vec3 u) {
    vec3 rim = 0.5 / vec3(cells());
    return textureLod(medium, inVolume(clamp(u, rim, 1.0 - rim), cells(), push.cells), 0.0).a;
}

vec3 glowAt(vec3 u) {
    vec3 rim = 0.5 / vec3(cells());
    return textureLod(glow, inVolume(clamp(u, rim, 1.0 - rim), cells(), push.cells), 0.0).rgb;
}

// Radiance of the smoke from u along direction k, without the light that comes straight from `flames`. Moves u to where the ray leaves the
// lit part; T is the transmittance up to there.
vec3 smokeAlong(inout vec3 u, int k, out float T, out vec3 flames) {
    float edge = litSize().x / float(cells().x);
    vec3 s = edge * ordinate(k) / litSize(), L = vec3(0.0);
    flames = vec3(0.0);
    T = 1.0;
    float way = leave(u, s);
    for (float t = 0.0; t < way && T > kOpaque; t += float(kAtOnce)) {
        // The fetches of several steps are issued together, because a single step would wait for its own.
        float d[kAtOnce], through[kAtOnce];
        vec3 q[kAtOnce], flame[kAtOnce];
        [[unroll]] for (int n = 0; n < kAtOnce; ++n) {
            float begin = t + float(n);
            d[n] = clamp(way - begin, 0.0, 1.0);
            through[n] = extinctionAt(u + (begin + 0.5 * d[n]) * s) * edge * d[n];
        }
        [[unroll]] for (int n = 0; n < kAtOnce; ++n) {
            float tau = through[n], e = exp(-tau), middle = tau > 0.02 ? 1.0 / tau - e / (1.0 - e) : 0.5 - tau / 12.0;
            vec3 at = u + (t + float(n) + middle * d[n]) * s;
            q[n] = sampleAtlas(sourceIn, push.from, at, k);
            if (kFire) flame[n] = d[n] * (tau > 0.01 ? (1.0 - e) / tau : 1.0 - 0.5 * tau) * glowAt(at);
            through[n] = e;
        }
        [[unroll]] for (int n = 0; n < kAtOnce; ++n) {
            L += T * (1.0 - through[n]) * q[n];
            if (kFire) flames += T * flame[n];
            T *= through[n];
        }
    }
    u += way * s;
    if (T > kOpaque) return L;
    flames /= 1.0 - T;
    L /= 1.0 - T;  // the rest of the ray gets the mean of what was found so far
    T = 0.0;
    return L;
}

// In the cell of a lamp its light has many directions. In a ball with the radius R their mean has the length r/R^3 over that of 1/r^2
// (Newton's theorem), r from the lamp to the centre; r^3 / (r^3 + edge^3 / 10) is about that of a cube.
float directedShare(int n, vec3 x) {
    if (!mayBeNear(n)) return 1.0;
    float r = lightDistance(n, x) * float(cells().x) / litSize().x;
    return r * r * r / (r * r * r + 0.1);
}

// Means of the phase function, for light that each light scatters into direction k. Light of a lamp that has not the direction of the
// cell's centre comes from all sides, or from around the axis of a spot.
vec4 turnsInto(vec3 x, int k) {
    vec4 turned = vec4(0.0);
    for (int n = 0; n < kLights; ++n) {
        turned[n] = phaseMean(dot(towardsLight(n, x), ordinate(k)));
        if (!mayBeNear(n)) continue;
        float here = 1.0 / (4.0 * kPi);
        if (isKind(n, WISP_SPOT)) {
            float onAxis = 0.5 + 0.5 * view.lights[n].cosOuter;
            here = mix(here, phaseMean(-dot(view.lights[n].axis, ordinate(k))), onAxis);
        }
        turned[n] = mix(here, turned[n], directedShare(n, x));
    }
    return turned;
}

// Transmittance to each sun; light of each lamp over its power [1/m^2].
vec4 meansAt(ivec3 c) {
    vec4 E = texelFetch(reach, c, 0);
    for (int n = 0; n < kLights; ++n)
        if (!isKind(n, WISP_SUN)) E[n] *= lampAtCell(n, c, cells());
    return E;
}

// Light that reaches the cell from the lights, scattered into direction k. The cones of all directions leave gaps and overlap. The light is
// therefore divided by the mean of the phase function over all cones, which matters for narrow phase functions: all directions together
// then get the light that is scattered.
vec3 directSource(ivec3 c, vec3 x, int i, int k) {
    vec4 all = vec4(0.0), E = meansAt(c);
    for (int l = 0; l < WISP_ORDINATES; ++l) all += ordinateWeight(l) * turns[l][i];
    vec3 sum = vec3(0.0);
    for (int n = 0; n < kLights; ++n) sum += E[n] * turns[k][i][n] / (4.0 * kPi * all[n]) * view.lights[n].power;
    return sum;
}

// Share of the light scattered by a spot that is still in its beam: about R^2 / (R^2 + l^2), with the radius R of the beam at x and its
// length l in the smoke. The rest has left the beam to the sides.
float shareInBeam(int n, vec3 x, float T, float extinction) {
    if (!isKind(n, WISP_SPOT)) return 1.0;
    float r = lightDistance(n, x), way = min(-log(max(T, 1e-20)) / max(extinction, 1e-20), r);
    float cosMiddle = view.lights[n].cosOuter + 0.5 / view.lights[n].perCos;
    float R = cosMiddle > 0.0 ? r * sqrt(1.0 - cosMiddle * cosMiddle) / cosMiddle : kFar;
    return R * R / (R * R + way * way);
}

// Light in cell c that was scattered by small angles, of the share of each light that comes from one direction.
vec3 smallAngleAt(ivec3 c, vec3 x, vec4 spread[WISP_SMALL_TURNS]) {
    vec4 E = meansAt(c), T = texelFetch(reach, c, 0), here = texelFetch(medium, c, 0);
    for (int n = 0; n < kLights; ++n) E[n] *= directedShare(n, x) * shareInBeam(n, x, T[n], here.a);
    return smallAngle(E, T, here.rgb, spread);
}

// f_n of small_angle.glsl in direction k, as sweeps scatter light: first as directSource does, then n - 1 times by P.
void spreadInto(int i, int k, out vec4 spread[WISP_SMALL_TURNS]) {
    vec4 all = vec4(0.0);
    [[unroll]] for (int n = 0; n < WISP_SMALL_TURNS; ++n) spread[n] = n == 0 ? turns[k][i] : vec4(0.0);
    for (int l = 0; l < WISP_ORDINATES; ++l) {
        all += ordinateWeight(l) * turns[l][i];
        [[unroll]] for (int n = 1; n < WISP_SMALL_TURNS; ++n)
            spread[n] += phaseTable[((n - 1) * WISP_ORDINATES + k) * WISP_ORDINATES + l] * turns[l][i];
    }
    [[unroll]] for (int n = 0; n < WISP_SMALL_TURNS; ++n) spread[n] /= 4.0 * kPi * all;
}

// Light that is scattered along the ray through x; `flames`: of the light that comes straight from them.
vec3 towardsEye(ivec3 c, vec3 x, int i, out vec3 flames) {
    vec3 ray = normalize(x - view.eye), sum = vec3(0.0);
    flames = vec3(0.0);
    float weights = 0.0;
    for (int k = 0; k < WISP_ORDINATES; ++k) {
        float w = ordinateWeight(k) * phaseMean(dot(ordinate(k), ray));
        sum += w * radiances[k][i];
        if (kFire) flames += w * turns[k][i].rgb;
        weights += w;
    }
    sum /= weights;
    flames /= weights;
    if (kLights == 0) return sum;
    vec4 spread[WISP_SMALL_TURNS];
    spreadTowardsEye(x, ray, spread);
    return sum + smallAngleAt(c, x, spread);
}

// Whether the result of a cell is needed: by its smoke, or by the smoke of the image between its centre and the centres of its neighbours.
bool isWanted(ivec3 c, vec3 u) {
    if (!isToEye()) return texelFetch(medium, c, 0).a > 0.0;
    if (opaqueToCompiler(push.toEye) > 1) return true;
    float most = 0.0;
    for (int n = 0; n < 8; ++n) most = max(most, extinctionAt(u + (vec3(n & 1, (n >> 1) & 1, n >> 2) - 0.5) / vec3(cells())));
    return most > 0.0;
}

// The part of a source that flames add, over the part in `glow`: (1 - share) emission / extinction over share edge emission.
// It replaces what `share` takes from scattered light: smoke of one temperature stays as bright as a black body.
vec3 restOverLinear(vec4 medium, vec3 share) {
    float tau = medium.a * litSize().x / float(cells().x), apart = linearShare(tau);
    vec3 emission = (1.0 - share * medium.rgb) / max(1.0 - medium.rgb, 1e-3);
    return max(emission - apart, 0.0) / max(apart * tau, 1e-20);
}

// Share of the scattered light that a source gets. Far from lights, scattered light falls off as exp(-2 x distance / edge), x: half the
// optical depth of a cell times sqrt(3 (1 - albedo) (1 - albedo g)), with the next term of an expansion in both (diffusion). A line between
// two centres is above this curve: light would reach too far. A mean is too high by x^2 / 3. Near lights, where the curve bends less, it is
// by less. Half of it fits path mode in both places. The share depends on the smoke alone, so that pictures are linear in the lights.
vec3 shareBetweenCells(vec4 medium) {
    vec3 away = (1.0 - medium.rgb) * (1.0 - medium.rgb * mix(view.g, view.gBack, view.blend));
    vec3 x = 0.5 * medium.a * litSize().x / float(cells().x) * sqrt(away * (3.0 - 2.4 * away));
    x = clamp(x, 0.01, 20.0);
    return x / sinh(x);
}

void main() {
    int i = int(gl_LocalInvocationID.x), k = int(gl_LocalInvocationID.y), n = int(gl_GlobalInvocationID.x);
    ivec3 size = cells(), c = ivec3(n % size.x, n / size.x % size.y, n / (size.x * size.y));
    bool inside = c.z < size.z;
    if (kSparse && int(gl_WorkGroupID.x) * WISP_ORDINATE_GROUP >= size.x * size.y * size.z) return;
    vec3 u = (vec3(c) + 0.5) / vec3(size), x = litLow() + u * litSize();
    // Begins with what is around the box, which is exact for smoke without absorption in a constant environment.
    vec3 L = vec3(0.0), flames = vec3(0.0), from = u;
    float T = isBegin() ? 1.0 : 0.0;
    if (!isBegin() && inside && isWanted(c, u)) L = smokeAlong(from, k, T, flames);
    if (T > 0.0) L += T * surroundings(litLow() + from * litSize(), ordinate(k));
    radiances[k][i] = kFire && !isToEye() ? L + flames : L;
    turns[k][i] = turnsInto(x, k);
    barrier();
    if (isToEye()) {
        if (kLights > 0 && inside) {
            vec4 spread[WISP_SMALL_TURNS];
            spreadInto(i, k, spread);
            radiances[k][i] -= smallAngleAt(c, x, spread);
        }
        if (kFire) {
            barrier();
            turns[k][i] = vec4(flames, 0.0);
        }
        barrier();
        if (k > 0 || !inside) return;
        vec3 straight, again = towardsEye(c, x, i, straight);
        imageStore(scattered, c, roundedToHalf(vec4(min(again, 65504.0), 0.0)));
        if (kFire) imageStore(scattered, c + ivec3(0, 0, push.cells.z), roundedToHalf(vec4(min(straight, 65504.0), 0.0)));
        return;
    }
    if (!inside) return;
    vec3 sum = directSource(c, x, i, k);
    vec4 here = texelFetch(medium, c, 0);
    vec3 scattered = vec3(0.0);
    for (int l = 0; l < WISP_ORDINATES; ++l) scattered += phaseTable[k * WISP_ORDINATES + l] * radiances[l][i];
    vec3 share = shareBetweenCells(here), q = here.rgb * (sum + share * scattered);
    if (opaqueToCompiler(int(view.emission != vec3(0.0))) != 0) {
        float edge = litSize().x / float(cells().x), smoke = 1.0 - solidExtinction(x, edge) / max(here.a, 1e-20);
        q += max(smoke - here.rgb * share, 0.0) * view.emission;
    }
    if (kFire) q += restOverLinear(here, share) * texelFetch(glow, c, 0).rgb;
    ivec3 at = inAtlas(c, push.cells, k);
    if (opaqueToCompiler(int(push.gain.x != 1.0)) != 0) {
        vec3 last = texelFetch(sourceIn, at, 0).rgb,
            before = opaqueToCompiler(int(push.pull.x != 1.0)) != 0 ? texelFetch(sourceBefore, at, 0).rgb : last;
        q = before + push.pull * (push.gain * (q - last) + last - before);
    }
    // An extinction too small for half precision may leave an albedo. A cell without smoke must send nothing. Otherwise the means beside it
    // would be divided by its share alone.
    imageStore(sourceOut, at, here.a > 0.0 ? roundedToHalf(vec4(min(q, 65504.0), 1.0)) : vec4(0.0));
}
