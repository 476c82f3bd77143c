// SPDX-License-Identifier: MIT
// Radiance of surfaces and splats towards the eye, from the light volumes. Needs shared/lit.glsl, shared/environment.glsl,
// shared/splat_layer.glsl, shared/reflection.glsl.
layout(binding = 4) uniform sampler3D light;
layout(binding = 5) uniform sampler3D sky;
layout(constant_id = 9) const bool kMarchedShadows = false;  // shadows by ray marching instead of the light volume

// Shares of light n and of the environment that reach x through the liquid before it. The including file defines these functions.
vec3 lightThroughLiquid(int n, vec3 x);
vec3 skyThroughLiquid(vec3 x);

#include "shared/light_volumes.glsl"
#include "shared/ground_light.glsl"
const bool kScattersAgain = kOrdinates || kOctaves > 1;
#include "shared/lebedev.glsl"

// Share of the environment that reaches x, where T is lightAnywhere(x). Outside the light window it is the mean over eight diagonals, as in
// sky_volume.comp, with soft shadows of obstacles.
float openAnywhere(vec3 x, vec4 T) {
    if (isInWindow(x)) return openAt(x, T);
    float sum = 0.0;
    for (int n = kHasGround ? 4 : 0; n < 8; ++n) {  // the first four point down
        int hit;
        Edge edge;
        vec3 d = (vec3(n & 1, n >> 2, (n >> 1) & 1) * 2.0 - 1.0) / sqrt(3.0);
        surfaceEdge(x, d, kFar, 0.5, hit, edge);
        if (hit < 0) sum += (1.0 - discShare(edge.cover)) * transmittance(x, d, kFar, 2.0 * lightEdge());
    }
    return sum / 8.0;
}

// Radiance of the ground in a cosine lobe around the normal of a surface, from the ordinates' directions that point down.
vec3 groundBelow(vec3 x, vec3 normal) {
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int k = 0; k < WISP_ORDINATES; ++k) {
        vec3 d = ordinate(k);
        float w = d.y < 0.0 ? ordinateWeight(k) * max(dot(normal, d), 0.0) : 0.0;
        if (w > 0.0) sum += w * groundAlong(x, d);
        weights += w;
    }
    return sum / max(weights, 1e-6);
}

// Radiance of the environment and the ground in a lobe around d with the Legendre coefficients `first`, `second`. `left`: share of the
// environment above the horizon that reaches the surface. `ground`: radiance of the ground there.
vec3 around(vec3 d, float first, float second, vec3 left, vec3 ground) {
    vec3 open = environmentMean(d, first, second) * left;
    if (!kHasGround) return open;
    float above = aboveHorizon(d, first);
    return above * open + (1.0 - above) * ground;
}

// Reflectance of all facets of a coat together (Lagarde 2011).
float coatAlbedo(SurfaceData s, vec3 normal, vec3 ray) {
    float a = 1.0 - eyeCosine(normal, -ray), a2 = a * a;
    return s.specular == 0.0 ? 0.0 : mix(s.specular, max(s.specular, (1.0 - s.roughness) * min(25.0 * s.specular, 1.0)), a2 * a2 * a);
}

// Radiance of the environment that surface s reflects at x. `left`: share of the environment that reaches x; with a ground, of the part
// above the horizon. A coat mirrors the environment around the mirrored direction, over the angles by which its facets deviate (three bands
// of harmonics resolve no more).
vec3 reflectedSurroundings(SurfaceData s, vec3 x, vec3 normal, vec3 ray, bool ground, vec3 left) {
    float alpha = s.roughness * s.roughness, F = coatAlbedo(s, normal, ray);
    vec3 d = reflect(ray, normal), below = vec3(0.0), mirrored = vec3(0.0);
    if (kHasGround && kScattersAgain && !ground && normal.y < 1.0) {
        vec3 down = normalize(vec3(normal.x, min(normal.y, 0.0) - 1.0, normal.z));
        float through = transmittance(x, down, (x.y - sim.origin.y) / -down.y, lightEdge());
        below = through * groundBelow(x, normal);
        if (F > 0.0) mirrored = through * groundAlong(x, normalize(vec3(d.x, min(d.y, -0.2), d.z)));  // a lobe does not end at the horizon
    }
    vec3 L = s.colour * (1.0 - F) * around(normal, 2.0 / 3.0, 0.25, left, below);
    return F == 0.0 ? L : L + F * around(d, exp(-2.0 * alpha * alpha), exp(-6.0 * alpha * alpha), left, mirrored);
}

// Near its silhouette an obstacle turns away from the eye within the last pixel, and a coat mirrors everything there. There, the normal is
// the one with the mean cosine of that pixel: 2/3 of the pixel's largest cosine, for a ball as large as the obstacle.
vec3 seenNormal(vec3 normal, vec3 ray, int hit, float t) {
    if (hit == kGround || view.footprint == 0.0) return normal;
    float width = view.footprint * 2.0 * length(view.right) / float(view.pixels.x) * dot(ray, view.forward) * t;
    float least = min(2.0 / 3.0 * sqrt(2.0 * width / boundOf(obstacles[hit].shape)), 1.0), lack = least + dot(normal, ray);
    return lack > 0.0 ? normalize(normal - lack * ray) : normal;
}

// Radiance of obstacle `hit`, or of the ground, at x by the light of flames.
vec3 reflectedFire(vec3 x, vec3 normal, vec3 ray, int hit) {
    SurfaceData s = view.surfaces[hit];
    vec3 L = vec3(0.0), towards;
    float width, roughness2 = s.roughness * s.roughness;
    for (int n = 0; n < fireParts(); ++n) {
        vec3 E = fireIrradiance(n, x, towards, width);
        vec3 f = reflected(s, sqrt(roughness2 * roughness2 + width * width / 32.0), normal, -ray, towards) * E;
        if (f != vec3(0.0)) L += fireShown(x, towards, width, distance(x, fireLights.lights[n].centre), hit) * f;
    }
    return L;
}

// Radiance of obstacle `hit`, or of the ground, at x. The ray from the eye finds x at the distance t.
vec3 opaqueSurface(vec3 x, vec3 ray, int hit, float t) {
    if (t == 0.0) return vec3(0.0);  // the camera is inside an obstacle
    SurfaceData s = view.surfaces[hit];
    vec3 normal = seenNormal(surfaceNormal(x, hit), ray, hit, t), off = besideSurface(x, normal, hit, t);
    vec3 beside = x + 1.5 * litSize() / vec3(lightCells()) * normal;  // outside of light cells that lie inside the obstacle
    beside = atTimeOfFields(beside, hit);                             // for which the light volumes are
    bool ground = kHasGround && hit == kGround, marched = ground || kMarchedShadows;
    vec4 T = marched && !isInWindow(beside) ? vec4(0.0) : lightAnywhere(beside);
    float open = openAnywhere(beside, T);
    vec3 left = (ground && isInWindow(beside) ? skyAbove(off) : kHasGround ? min(2.0 * open, 1.0) : open) * skyThroughLiquid(off);
    vec3 L = reflectedSurroundings(s, off, normal, ray, ground, left);
    float stepLength = kMarchedShadows ? view.stepLength : lightEdge();
    for (int n = 0; n < kLights; ++n) {
        // A disc of the diameter w moves half vectors by w / 8 on average in each direction. The width of the highlight combines this with
        // the slopes of the facets.
        float w = lightWidth(n, off), roughness2 = s.roughness * s.roughness;
        vec3 f = reflected(s, sqrt(roughness2 * roughness2 + w * w / 32.0), normal, -ray, towardsLight(n, off));
        if (f != vec3(0.0)) L += (marched ? lit(n, off, stepLength) : T[n]) * f * directLight(n, off) * lightThroughLiquid(n, off);
    }
    return kFire ? L + reflectedFire(off, normal, ray, hit) : L;
}

// The same. Where the ground fades out, the environment behind it is added.
vec3 surface(vec3 x, vec3 ray, int hit, float t) {
    float cover = kHasGround && hit == kGround ? groundCover(x) : 1.0;
    vec3 L = cover > 0.0 ? cover * opaqueSurface(x, ray, hit, t) : vec3(0.0);
    return cover < 1.0 ? L + (1.0 - cover) * environmentRadiance(ray) : L;
}

// Radiance of splats [W/(m^2 sr)] times their coverage. Blades of grass scatter light from all directions evenly to all sides.
vec3 radianceOf(SplatLayer m, vec3 x) {
    if (m.albedo == vec3(0.0)) return m.shining;
    vec4 T = lightAnywhere(x);
    vec3 around = kPi * environmentMean(vec3(0.0, 1.0, 0.0), 2.0 / 3.0, 0.25) * openAnywhere(x, T);
    for (int n = 0; n < kLights; ++n) around += 0.5 * T[n] * directLight(n, x);
    if (kFire) around += 0.5 * fireOn(x, vec3(0.0, 1.0, 0.0));
    return m.shining + m.albedo / kPi * around;
}
