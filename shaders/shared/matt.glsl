// SPDX-License-Identifier: MIT
// What surfaces and marks send to the eye, by the volumes of light. Needs shared/lit.glsl, shared/environment.glsl, shared/marked.glsl,
// shared/reflection.glsl.
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

// Radiance of the surroundings that a coat mirrors: about the mirrored direction, as far from it as its facets turn (three bands of
// harmonics tell no more), with the reflectance of all facets together (Lagarde 2011). `left` is what of them reaches the surface.
vec3 mirrored(SurfaceData s, vec3 normal, vec3 ray, inout vec3 left) {
    if (s.specular == 0.0) return vec3(0.0);
    float alpha = s.roughness * s.roughness, a = 1.0 - eyeCosine(normal, -ray), a2 = a * a;
    float F = mix(s.specular, max(s.specular, (1.0 - s.roughness) * min(25.0 * s.specular, 1.0)), a2 * a2 * a);
    vec3 mirror = F * environmentMean(reflect(ray, normal), exp(-2.0 * alpha * alpha), exp(-6.0 * alpha * alpha)) * left;
    left *= 1.0 - F;
    return mirror;
}

// Radiance of obstacle `hit`, or the ground, at x, which a ray from the eye finds t away.
vec3 wholeSurface(vec3 x, vec3 ray, int hit, float t) {
    if (t == 0.0) return vec3(0.0);  // the camera is inside an obstacle
    SurfaceData s = view.surfaces[hit];
    vec3 normal = surfaceNormal(x, hit), off = besideSurface(x, normal, hit, t);
    vec3 beside = x + 1.5 * boxSize() / vec3(view.lightCells) * normal;  // clear of cells inside the obstacle
    bool ground = kHasGround && hit == kGround, marched = ground || kMarchedShadows;
    vec4 T = lightAt(beside);
    vec3 left = (ground ? skyAbove(off) : openAt(beside, T)) * skyLeft(off);
    vec3 L = mirrored(s, normal, ray, left);
    L += s.colour * environmentMean(normal, 2.0 / 3.0, 0.25) * left;
    float stepLength = kMarchedShadows ? view.stepLength : boxSize().x / float(view.lightCells.x);
    for (int n = 0; n < kLights; ++n) {
        // A disc of the diameter w moves half vectors by w / 8 on average in each direction: the highlight is as wide as facets' slopes and that together.
        float w = lightWidth(n, off), roughness2 = s.roughness * s.roughness;
        vec3 f = reflected(s, sqrt(roughness2 * roughness2 + w * w / 32.0), normal, -ray, towardsLight(n, off));
        if (f != vec3(0.0)) L += (marched ? lit(n, off, stepLength) : T[n]) * f * directLight(n, off) * lightLeft(n, off);
    }
    return L;
}

// The same, and what is seen through the ground where it fades.
vec3 surface(vec3 x, vec3 ray, int hit, float t) {
    float cover = kHasGround && hit == kGround ? groundCover(x) : 1.0;
    vec3 L = cover > 0.0 ? cover * wholeSurface(x, ray, hit, t) : vec3(0.0);
    return cover < 1.0 ? L + (1.0 - cover) * environmentRadiance(ray) : L;
}

// Radiance of marks [W/(m^2 sr)], times what they cover: blades scatter to all sides what reaches them, from wherever.
vec3 radianceOf(Marked m, vec3 x) {
    if (m.albedo == vec3(0.0)) return m.shining;
    vec4 T = lightAt(x);
    vec3 around = kPi * environmentMean(vec3(0.0, 1.0, 0.0), 2.0 / 3.0, 0.25) * openAt(x, T);
    for (int n = 0; n < kLights; ++n) around += 0.5 * T[n] * directLight(n, x);
    return m.shining + m.albedo / kPi * around;
}
