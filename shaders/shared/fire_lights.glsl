// SPDX-License-Identifier: MIT
// Light of flames on surfaces. Needs shared/volume.glsl, shared/shown.glsl.
#include "shared/fire_lights.h"
layout(binding = 24, scalar) readonly buffer FireLightsBlock { FireLights fireLights; };

layout(constant_id = 26) const bool kOrdinates = false;  // multiple scattering by discrete ordinates; otherwise by octaves

int fireParts() { return kFire && kOrdinates ? fireLights.parts.x * fireLights.parts.y * fireLights.parts.z : 0; }

// Irradiance [W/m^2] at x of part n on a surface that faces it, without the shadows of obstacles. `towards`: unit vector to its centre,
// `width`: its diameter over its distance.
vec3 fireIrradiance(int n, vec3 x, out vec3 towards, out float width) {
    FireLight part = fireLights.lights[n];
    vec3 d = part.centre - x;
    float r2 = max(dot(d, d), 1e-12);
    towards = d * inversesqrt(r2);
    width = 2.0 * sqrt(part.radius2 / r2);
    vec3 I = part.intensity - towards.x * part.alongX - towards.y * part.alongY - towards.z * part.alongZ;
    return max(I, 0.0) / (r2 + part.radius2);
}

// Share of it that obstacles let through to x.
float fireShown(vec3 x, vec3 towards, float width, float far) {
    int hit;
    Edge edge;
    obstacleEdge(x, towards, far, width, hit, edge);
    return hit >= 0 ? 0.0 : 1.0 - discShare(edge.cover);
}

// Irradiance on a surface without shadows.
vec3 fireOn(vec3 x, vec3 normal) {
    vec3 E = vec3(0.0), towards;
    float width;
    for (int n = 0; n < fireParts(); ++n) {
        vec3 facing = fireIrradiance(n, x, towards, width);
        E += max(dot(normal, towards), 0.0) * facing;
    }
    return E;
}
