// SPDX-License-Identifier: MIT
// What surfaces and marks send to the eye, by the volumes of light. Needs shared/lit.glsl, shared/environment.glsl, shared/marked.glsl.
layout(binding = 4) uniform sampler3D light;
layout(binding = 5) uniform sampler3D sky;
layout(constant_id = 9) const bool kMarchedShadows = false;  // instead of the light volume

// Shares of light n and of the surroundings that a liquid leaves at x; for who includes this to say.
vec3 lightLeft(int n, vec3 x);
vec3 skyLeft(vec3 x);

// Transmittances to the lights, and, in a channel that is left, the surroundings' share: see light_volume.comp.
vec4 lightAt(vec3 x) {
    vec4 root = textureLod(light, lightPoint(x, view.lightCells), 0.0), T = root * root;
    T *= T;
    return kLights < 4 ? vec4(T.xyz, root.w) : T;
}

// Share of the surroundings that reaches x, where T is lightAt.
float openAt(vec3 x, vec4 T) { return kLights < 4 ? T.w : textureLod(sky, lightPoint(x, view.skyCells), 0.0).x; }

// Share of the surroundings that reaches the ground. Beyond the box, the smoke beside it fades from the sky.
float skyAbove(vec3 x) {
    vec3 nearest = clamp(x, sim.origin, sim.origin + boxSize());
    float above = min(2.0 * textureLod(sky, lightPoint(nearest, view.skyCells), 0.0).x, 1.0);  // the four diagonals below end in the ground
    return mix(above, 1.0, smoothstep(0.0, boxSize().y, distance(x, nearest)));
}

// Radiance of obstacle `hit`, or the ground, at x, t from the eye.
vec3 surface(vec3 x, int hit, float t) {
    if (t == 0.0) return vec3(0.0);  // the camera is inside an obstacle
    vec3 normal = surfaceNormal(x, hit), off = besideSurface(x, normal, hit, t);
    vec3 beside = x + 1.5 * boxSize() / vec3(view.lightCells) * normal;  // clear of cells inside the obstacle
    bool ground = kHasGround && hit == kGround, marched = ground || kMarchedShadows;
    vec4 T = lightAt(beside);
    vec3 irradiance = kPi * environmentMean(normal, 2.0 / 3.0, 0.25) * (ground ? skyAbove(off) : openAt(beside, T)) * skyLeft(off);
    float stepLength = kMarchedShadows ? view.stepLength : boxSize().x / float(view.lightCells.x);
    for (int n = 0; n < kLights; ++n) {
        float cosine = dot(normal, towardsLight(n, off));
        if (cosine > 0.0) irradiance += (marched ? lit(n, off, stepLength) : T[n]) * cosine * directLight(n, off) * lightLeft(n, off);
    }
    return surfaceColour(hit) / kPi * irradiance;
}

// Radiance of marks [W/(m^2 sr)], times what they cover: blades scatter to all sides what reaches them, from wherever.
vec3 radianceOf(Marked m, vec3 x) {
    if (m.albedo == vec3(0.0)) return m.shining;
    vec4 T = lightAt(x);
    vec3 around = kPi * environmentMean(vec3(0.0, 1.0, 0.0), 2.0 / 3.0, 0.25) * openAt(x, T);
    for (int n = 0; n < kLights; ++n) around += 0.5 * T[n] * directLight(n, x);
    return m.shining + m.albedo / kPi * around;
}
