#version 460
// SPDX-License-Identifier: MIT
// Radiance of the knot and the floor: diffuse, with a glossy coat, in the light of the scene that wisp draws. The shadow of the knot comes
// from its capsules, that of the smoke from the density of the simulation.
#extension GL_GOOGLE_include_directive : require
#include "world.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normalIn;
layout(location = 2) in vec4 colour;
layout(location = 0) out vec4 radiance;
layout(binding = 1) uniform sampler3D density;

const float kPi = 3.14159265;
const float kSun = 0.05;  // radius of the light, over its distance
const int kSteps = 16;

float distanceToCapsule(vec3 x, int n) {
    vec3 from = world.capsuleFrom[n].xyz, along = world.capsuleTo[n].xyz - from;
    float s = clamp(dot(x - from, along) / dot(along, along), 0.0, 1.0);
    return distance(x, from + s * along) - world.capsuleFrom[n].w;
}

// Share of a light that passes a capsule: from the closest distance of the ray and the axis.
float passes(vec3 x, vec3 towards, int n) {
    vec3 from = world.capsuleFrom[n].xyz, along = world.capsuleTo[n].xyz - from, off = x - from;
    float r = world.capsuleFrom[n].w;
    if (distanceToCapsule(x, n) < 0.8 * r) return 1.0;  // its own surface, where the cosine makes the shadow
    float ll = dot(along, along), lt = dot(along, towards), lo = dot(along, off), to = dot(towards, off);
    float s = clamp((lo - lt * to) / max(ll - lt * lt, 1e-6), 0.0, 1.0);
    float t = max(s * lt - to, 0.0);
    s = clamp((lo + t * lt) / ll, 0.0, 1.0);
    float clearance = distance(x + t * towards, from + s * along) - r;
    return t == 0.0 ? 1.0 : smoothstep(-1.0, 1.0, clearance / (kSun * t + 1e-4));
}

// Transmittance of the smoke from x to a light.
float throughSmoke(vec3 x, vec3 towards) {
    vec3 inverse = 1.0 / towards, low = (world.boxLow.xyz - x) * inverse, high = low + world.boxSize.xyz * inverse;
    vec3 near = min(low, high), far = max(low, high);
    float begin = max(max(near.x, near.y), max(near.z, 0.0)), end = min(far.x, min(far.y, far.z)), sum = 0.0;
    if (end <= begin) return 1.0;
    float d = (end - begin) / float(kSteps);
    for (int n = 0; n < kSteps; ++n) {
        vec3 at = x + (begin + (float(n) + 0.5) * d) * towards;
        sum += textureLod(density, (at - world.boxLow.xyz) / world.boxSize.xyz, 0.0).r;
    }
    return exp(-world.boxLow.w * d * sum);
}

void main() {
    vec3 normal = normalize(normalIn), ray = normalize(position - view.eye.xyz);
    float open = 1.0;  // share of the environment that the knot does not hide, seen from the floor or another part of it
    const float reach = 0.12;
    for (int n = 0; n < kCapsules; ++n) open = min(open, 0.5 + 0.5 * clamp(distanceToCapsule(position + reach * normal, n) / reach, 0.0, 1.0));

    vec3 L = colour.rgb * open * (world.skyMean.rgb + 2.0 / 3.0 * normal.y * world.skySlope.rgb);
    for (int n = 0; n < kLights; ++n) {
        vec3 towards = world.lights[n].towards.xyz, between = normalize(towards - ray);
        float cosine = dot(normal, towards);
        if (cosine <= 0.0) continue;
        float share = 1.0;
        for (int k = 0; k < kCapsules; ++k) share = min(share, passes(position, towards, k));
        if (share > 0.0) share *= throughSmoke(position, towards);
        float gloss = colour.a > 0.0 ? 0.0 : 0.04 * (80.0 + 2.0) / (2.0 * kPi) * pow(max(dot(normal, between), 0.0), 80.0);
        L += share * cosine * (colour.rgb / kPi + gloss) * world.lights[n].irradiance.rgb;
    }
    // The floor fades into the environment, so that there is no horizon.
    float cover = colour.a > 0.0 ? 1.0 - smoothstep(0.7, 2.4, length(position.xz)) : 1.0;
    radiance = vec4(mix(sky(ray), L, cover), 1.0);
}
