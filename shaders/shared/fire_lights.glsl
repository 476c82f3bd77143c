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
    width = 2.0 * sqrt(5.0 / 3.0 * part.radius2 / r2);
    vec3 I = part.intensity - towards.x * part.alongX - towards.y * part.alongY - towards.z * part.alongZ;
    // From outside, a ball lights as its centre would (Newton's shell theorem). An even ball has the radius sqrt(5/3) times its rms.
    return max(I, 0.0) / max(r2, 5.0 / 3.0 * part.radius2);
}

// Share of a disc that obstacle n hides from x: of a sphere or a capsule from where the ray to its centre comes closest.
float hiddenBy(int n, vec3 x, vec3 towards, float width, float far) {
    ShapeData s = shapeOf(n);
    float along = max(dot(s.centre - x, towards), 0.0);
    if (kPeriodic == 0 && length(s.centre - x - along * towards) > boundOf(s) + 0.5 * width * along) return 0.0;
    if (kPeriodic == 0 && (s.kind == WISP_SPHERE || s.kind == WISP_CAPSULE)) {
        float apart, t = closestTo(s, x, towards, apart);
        return t > 0.0 && t < far ? discShare(clamp(0.5 - (apart - s.radius) / max(width * t, 1e-6), 0.0, 1.0)) : 0.0;
    }
    int hit = -1;
    Edge edge = Edge(0.0, 0.0, -1);
    vec2 span = spanAmongObstacles(x, towards, far);
    meetObstacle(n, x, towards, span.x, width, span.y, hit, edge);
    return hit >= 0 ? 1.0 : discShare(edge.cover);
}

// Share of it that obstacles let through to x, on the lit side of the obstacle or the ground `own`. A ray that leaves a convex shape does
// not meet it again.
float fireShown(vec3 x, vec3 towards, float width, float far, int own) {
    float share = 1.0;
    for (int n = 0; n < sim.obstacleCount && share > 0.0; ++n)
        if (n != own || (kHasMeshes && obstacles[n].shape.kind == WISP_MESH)) share *= 1.0 - hiddenBy(n, x, towards, width, far);
    return share;
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
