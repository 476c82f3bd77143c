// SPDX-License-Identifier: MIT
// Lights, without the attenuation by smoke. Needs shared/volume.glsl.

bool isKind(int n, int kind) { return opaqueToCompiler(view.lights[n].kind) == kind; }

// Whether a light may be so near to the smoke that its light changes much within a cell.
bool mayBeNear(int n) { return kNearLamps && !isKind(n, WISP_SUN); }

// Unit direction from x to a lamp at the offset d; 0 at the lamp itself.
vec3 towardsLamp(vec3 d) { return d / max(length(d), 1e-15); }

// Intensity of a lamp at the offset d, as a share of that on its axis.
float inCone(int n, vec3 d) {
    if (!isKind(n, WISP_SPOT)) return 1.0;
    float inside = clamp((dot(-towardsLamp(d), view.lights[n].axis) - view.lights[n].cosOuter) * view.lights[n].perCos, 0.0, 1.0);
    return inside * inside * (3.0 - 2.0 * inside);
}

// Irradiance of a lamp at the offset d, as if it were not nearer than the root of `least`.
vec3 lampLight(int n, vec3 d, float least) { return inCone(n, d) / max(dot(d, d), least) * view.lights[n].power; }

vec3 directLight(int n, vec3 x) {  // irradiance on a surface that faces the light
    return isKind(n, WISP_SUN) ? view.lights[n].power : lampLight(n, view.lights[n].towards - x, 1e-6);
}

vec3 towardsLight(int n, vec3 x) {
    return isKind(n, WISP_SUN) ? view.lights[n].towards : towardsLamp(view.lights[n].towards - x);
}

// Diameter of the light over its distance.
float lightWidth(int n, vec3 x) {
    return isKind(n, WISP_SUN) ? view.lights[n].width : view.lights[n].width / max(length(view.lights[n].towards - x), 1e-6);
}

// Never 0, so that a lamp inside an obstacle is also hidden at its own position.
float lightDistance(int n, vec3 x) { return isKind(n, WISP_SUN) ? kFar : max(length(view.lights[n].towards - x), 1e-6); }
