// SPDX-License-Identifier: MIT
// Light volumes. Needs shared/volume.glsl. The including file binds `light` and `sky`.

// Transmittances to the lights. If a channel is free, it holds the share of the environment: see light_volume.comp.
vec4 lightAt(vec3 x) {
    vec4 root = textureLod(light, lightPoint(x, view.lightCells), 0.0), T = root * root;
    T *= T;
    return kLights < 4 ? vec4(T.xyz, root.w) : T;
}

// Share of the environment that reaches x, where T is lightAt(x).
float openAt(vec3 x, vec4 T) { return kLights < 4 ? T.w : textureLod(sky, lightPoint(x, view.skyCells), 0.0).x; }
