// SPDX-License-Identifier: MIT
// What the ground sends up, of what the volumes of light bring to it. Needs shared/surface.glsl, shared/lights.glsl,
// shared/environment.glsl,
// and openAt and lightAt of shared/light_volumes.glsl.

// Share of the surroundings that reaches the ground. Beyond the box, the smoke beside it fades from the sky.
float skyAbove(vec3 x) {
    vec3 nearest = clamp(x, sim.origin, sim.origin + boxSize());
    float above = min(2.0 * textureLod(sky, lightPoint(nearest, view.skyCells), 0.0).x, 1.0);  // the four diagonals below end in the ground
    return mix(above, 1.0, smoothstep(0.0, boxSize().y, distance(x, nearest)));
}

// Radiance of the matt ground where a ray from x along d, downwards, meets it; shadows are the light volume's. Where the ground fades, of
// the surroundings behind it.
vec3 groundAlong(vec3 x, vec3 d) {
    x += max(x.y - sim.origin.y, 0.0) / -d.y * d;
    float cover = groundCover(x);
    if (cover == 0.0) return environmentRadiance(d);
    vec3 up = vec3(0.0, 1.0, 0.0), E = kPi * skyAbove(x) * environmentMean(up, 2.0 / 3.0, 0.25);
    vec4 T = lightAt(x);
    for (int n = 0; n < kLights; ++n) E += T[n] * max(towardsLight(n, x).y, 0.0) * directLight(n, x);
    return mix(environmentRadiance(d), view.surfaces[kGround].colour / kPi * E, cover);
}

// Share of a lobe around d, whose first Legendre coefficient is `first`, above the horizon: a half space has 1/2, 3/4, 0. Of a cosine lobe
// (1 + y) / 2.
float aboveHorizon(vec3 d, float first) { return clamp(0.5 + 0.75 * first * d.y, 0.0, 1.0); }
