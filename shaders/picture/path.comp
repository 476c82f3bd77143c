#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_SHUTTER
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/environment.glsl"
#include "shared/camera.glsl"
#include "shared/shutter.glsl"
#include "shared/phase.glsl"
#include "shared/reflection.glsl"
#include "shared/vertex.glsl"
#include "shared/path.h"
#include "shared/random.glsl"
#include "shared/environment_sampling.glsl"
#include "shared/majorant.glsl"
#include "shared/fire_sampling.glsl"
#include "shared/tracking.glsl"
#include "shared/lamp_sampling.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// One path per pixel: an unbiased sample of the rendering equation, of which raymarch.comp integrates the single scattering. L = sum over
// vertices of weight * (light that reaches the vertex + (1 - albedo) emission) + weight * environment at the end, and flames along the way.
// Mean and sum of squared deviations over the samples are updated by the method of Welford 1962.
layout(constant_id = 39) const bool kTransparent = false;  // the environment lights what is seen, and is not seen itself
layout(binding = 4, rgba32f) uniform image2D pathMean;    // rgb = radiance, a = share of paths that met something
// Squared deviations of luminance, number of segments, number of truncated samples; a: see main.
layout(binding = 5, rgba32f) uniform image2D pathMoments;
layout(push_constant, scalar) uniform Push { PathPush push; };

float luminance(vec3 c) { return dot(c, vec3(0.2126, 0.7152, 0.0722)); }

// Next-event estimation of one light, chosen in proportion to what the vertex would scatter of it without smoke.
vec3 lightAt(vec3 x, Vertex v, inout Random random) {
    float sum = 0.0, u = uniform4(random).x, chosenWeight = 0.0;
    int chosen = -1;
    for (int n = 0; n < kLights; ++n) {
        float w = luminance(lightAtVertex(n, x, v.smoke) * scattered(v, towardsLight(n, x)));
        if (w <= 0.0) continue;
        sum += w;
        float p = w / sum;
        if (u < p) {  // chosen with a probability proportional to w among all so far; the rest of u is uniform again
            chosen = n;
            chosenWeight = w;
            u /= p;
        } else {
            u = (u - p) / (1.0 - p);
        }
    }
    if (chosen < 0) return vec3(0.0);
    vec3 centre = towardsLight(chosen, x), towards = towardsDisc(centre, lightWidth(chosen, x), random);
    vec3 light = lightAtVertex(chosen, x, v.smoke) * scattered(v, v.smoke ? centre : towards) * (sum / chosenWeight);
    float far = lightDistance(chosen, x);
    int hit;
    surfaceHit(x, towards, far, hit);
    if (hit >= 0) return vec3(0.0);
    return light * transmittanceEstimate(x, towards, far, random);
}

// Next-event estimation of the environment, weighted against the probability that the path's next direction finds the same light. The two
// weights sum to 1 wherever there is radiance, also where the table has no density (there the path's weight is 1). Nothing is therefore
// counted twice or missed, whatever the table contains.
vec3 surroundingsAt(vec3 x, Vertex v, inout Random random) {
    vec4 radiance;
    float sine;
    vec3 towards = sampleEnvironment(bits4(random), radiance, sine);
    float density = chance(v, towards);
    if (radiance.a <= 0.0 || density <= 0.0) return vec3(0.0);
    int hit;
    float far = surfaceHit(x, towards, kFar, hit), seen = hit < 0 ? 1.0 : hit == kGround ? 1.0 - groundCover(x + far * towards) : 0.0;
    if (seen == 0.0) return vec3(0.0);
    return seen * radiance.rgb * scattered(v, towards) / density * environmentShare(radiance.a, sine, density) *
        transmittanceEstimate(x, towards, kFar, random);
}

// Light of a flame at y, a point that drawFlame has drawn, over the density of such points; without what is in between. Weighted against
// the probability that the path's next direction finds the flame: emission / (r^2 density), with a share that falls with r^2 close by.
vec3 flameAt(vec3 x, Vertex v, vec3 y) {
    vec3 way = y - x;
    float r = length(way), perMetre = kFireDepth * brickEdge().x, density = fireDensity(y);
    vec3 there = departure(y);
    vec4 s = smokeAt(there);
    if (outside(ivec3(floor((y - sim.origin) / sim.h)), sim.cells) || density <= 0.0 || r == 0.0) return vec3(0.0);
    vec3 towards = way / r;
    return scattered(v, towards) * emissionOf(there, s) * (perMetre / (chance(v, towards) + density * r * r * perMetre));
}

// Next-event estimation of flames. Of several points one is chosen in proportion to its light (resampled importance sampling: Talbot,
// Cline, Egbert 2005), because few cells of a brick send out most of its light.
const int kFlamePoints = 8;
vec3 flamesAt(vec3 x, Vertex v, inout Random random) {
    if (fireTotal() <= 0.0) return vec3(0.0);
    vec3 chosen = vec3(0.0), light = vec3(0.0);
    float sum = 0.0, u = uniform4(random).x;
    for (int n = 0; n < kFlamePoints; ++n) {
        vec3 y = drawFlame(uniform4(random)), L = flameAt(x, v, y);
        float w = luminance(L);
        if (w <= 0.0) continue;
        sum += w;
        float p = w / sum;
        if (u < p) {
            chosen = y;
            light = L / w;
            u /= p;
        } else {
            u = (u - p) / (1.0 - p);
        }
    }
    if (sum == 0.0) return vec3(0.0);
    vec3 way = chosen - x, towards = normalize(way);
    float far = length(way);
    int hit;
    surfaceHit(x, towards, far, hit);
    return hit >= 0 ? vec3(0.0) : sum / float(kFlamePoints) * light * transmittanceEstimate(x, towards, far, random);
}

// Probability of continuing the path. Late paths also end where nothing is absorbed, so that their length is bounded in practice. This
// happens seldom, because weights that grow faster than light leaves the smoke (a share of about 10 / depth^2 at each scattering) have no
// finite variance.
float survival(vec3 weight, int bounce) {
    float most = max(weight.x, max(weight.y, weight.z));
    return bounce < 4 ? 1.0 : min(most, bounce < 256 ? 1.0 : 0.999);
}

struct Sample {
    vec3 L;
    float met;       // 1: the camera's ray met smoke or a surface
    float way;       // distance to that point
    float segments;
};

Sample trace(vec3 x, vec3 ray, inout Random random) {
    Sample s = Sample(vec3(0.0), 0.0, 0.0, 0.0);
    vec3 weight = vec3(1.0);
    float density = 0.0;  // probability density with which `ray` was drawn [1/sr]; 0: it comes from the camera
    for (int bounce = 0; bounce < WISP_PATH_STEPS && whole; ++bounce) {
        int hit;
        float t, far = surfaceHit(x, ray, kFar, hit);
        vec3 flames = vec3(0.0);
        bool smoke = collision(x, ray, far, density, random, t, flames);
        s.L += weight * flames;
        if (kNearLamps && (push.bounces == 0 || bounce < push.bounces)) s.L += weight * lampsAlong(x, ray, far, random);
        s.segments += 1.0;
        // the path passes through ground that fades out
        if (view.groundRadius > 0.0 && hit == kGround && !smoke && uniform4(random).x >= groundCover(x + far * ray)) hit = -1;
        if (!smoke && hit < 0) {
            vec4 found = environmentTexel(ray);
            if (kTransparent && s.met == 0.0) return s;
            if (kEnvironmentSampled && bounce > 0) weight *= environmentShare(found.a, length(ray.xz), density);
            s.L += weight * found.rgb;
            return s;
        }
        s.met = 1.0;
        if (bounce == 0) s.way = smoke ? t : far;
        if (bounce == 0 && !smoke && far == 0.0) return s;  // the camera is inside an obstacle
        Vertex v = Vertex(ray, smoke, vec3(0.0), view.surfaces[max(hit, 0)]);
        vec3 albedo = vec3(1.0);  // for a surface, `scattered` contains it
        if (smoke) {
            x += t * ray;
            vec3 there = departure(x);
            albedo = albedoAt(there, smokeAt(there));
            s.L += weight * (1.0 - albedo) * view.emission;
        } else {
            x += far * ray;
            v.normal = surfaceNormal(x, hit);
            x = besideSurface(x, v.normal, hit, far);
        }
        if (push.bounces > 0 && bounce == push.bounces) return s;
        weight *= albedo;
        vec4 u = uniform4(random);
        float survives = survival(weight, bounce);
        if (u.w >= survives) return s;
        weight /= survives;
        s.L += weight * lightAt(x, v, random);
        if (kEnvironmentSampled) s.L += weight * surroundingsAt(x, v, random);
        if (kFire) s.L += weight * flamesAt(x, v, random);
        ray = drawn(v, u.xyz);
        density = chance(v, ray);
        if (!smoke) weight *= scattered(v, ray) / max(density, 1e-30);
        if (weight == vec3(0.0)) return s;  // mirrored into the surface
    }
    whole = false;
    return s;
}

// The moment of a sample: multiples of the golden ratio from a random start, so that the samples of a pixel are spread evenly over the time
// of the exposure, and each is uniform.
float momentOf(Random random) {
    if (!kShutter) return 0.0;
    random.key.y = ~0u;
    return float(bits4(random).x + push.index * 0x9e3779b9u) * (0.99999994 / 4294967296.0);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    Random random = Random(uvec3(pixel.y * view.pixels.x + pixel.x, push.index, push.seed), 0u);
    openShutter(momentOf(random));
    vec2 place = push.spread != 0 ? uniform4(random).xy : vec2(0.5);
    vec3 ray = cameraRay(camera, vec2(pixel) + place);
    Sample s = trace(camera.eye, ray, random);

    vec4 mean = vec4(0.0), spread = vec4(0.0);
    if (push.index > 0u) {
        mean = imageLoad(pathMean, pixel);
        spread = imageLoad(pathMoments, pixel);
    }
    float before = luminance(mean.rgb);
    mean += (vec4(s.L, s.met) - mean) / float(push.index + 1u);
    float now = luminance(s.L);
    float depth = s.way * dot(ray, camera.forward);  // [m] along the camera's axis, 0 where nothing was met; its mean is stored
    spread += vec4((now - before) * (now - luminance(mean.rgb)), s.segments, whole ? 0.0 : 1.0,
        (depth - spread.w) / float(push.index + 1u));
    imageStore(pathMean, pixel, mean);
    imageStore(pathMoments, pixel, spread);
}
