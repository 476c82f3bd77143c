// SPDX-License-Identifier: MIT
// Volumes of light. Needs shared/volume.glsl; who includes this binds `light` and `sky`.

// Transmittances to the lights, and, in a channel that is left, the surroundings' share: see light_volume.comp.
vec4 lightAt(vec3 x) {
    vec4 root = textureLod(light, lightPoint(x, view.lightCells), 0.0), T = root * root;
    T *= T;
    return kLights < 4 ? vec4(T.xyz, root.w) : T;
}

// Share of the surroundings that reaches x, where T is lightAt.
float openAt(vec3 x, vec4 T) { return kLights < 4 ? T.w : textureLod(sky, lightPoint(x, view.skyCells), 0.0).x; }
