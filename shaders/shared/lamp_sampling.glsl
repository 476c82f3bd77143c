// SPDX-License-Identifier: MIT
// Lamps in smoke, in path mode. The vertices of paths alone are a bad sample of their light 1/r^2: it has no finite variance, and rare
// vertices close to a lamp carry much of it. The light is therefore split at a radius R. Vertices receive min(1/r^2, 1/R^2). The rest,
// 1/r^2 - 1/R^2 within R of the lamp, is sampled along every ray that comes so near. Needs shared/lights.glsl, shared/tracking.glsl.

// Two mean free paths in smoke of density 1, at most the width of the box. The expected value does not depend on this radius.
float lampRadius() { return 1.0 / max(0.5 * view.extinction, 1.0 / boxSize().x); }

// Irradiance at a vertex.
vec3 lightAtVertex(int n, vec3 x, bool smoke) {
    if (!smoke || !mayBeNear(n)) return directLight(n, x);
    return lampLight(n, view.lights[n].towards - x, lampRadius() * lampRadius());
}

// Direction to a random point of the light's disc, if it has an extent.
vec3 towardsDisc(vec3 towards, float width, inout Random random) {
    if (opaqueToCompiler(int(width > 0.0)) == 0) return towards;
    vec4 u = uniform4(random);
    return turned(towards, u.x * (1.0 - inversesqrt(1.0 + 0.25 * width * width)), u.y);
}

// Angles, seen from a lamp, between which a ray is in its cone. 0 is towards the point of the ray that is nearest to the lamp. The cosine
// of the angle to the axis is a sinusoid of this angle. Cones of 180 degrees or more give the whole ray.
vec2 anglesInCone(int n, vec3 towardsNearest, vec3 ray) {
    if (!isKind(n, WISP_SPOT) || view.lights[n].cosOuter <= 0.0) return vec2(-0.5, 0.5) * kPi;
    vec2 axis = vec2(dot(towardsNearest, view.lights[n].axis), dot(ray, view.lights[n].axis));
    float cosine = view.lights[n].cosOuter / max(length(axis), 1e-15);
    return cosine >= 1.0 ? vec2(0.0) : atan(axis.y, axis.x) + vec2(-1.0, 1.0) * acos(cosine);
}

// The part of a ray that the rest of a lamp's light reaches, in angles seen from the lamp. t = nearest + h tan(angle).
struct Arc {
    float nearest, h;      // the point of the ray that is nearest to the lamp: distance along the ray, distance from the lamp
    float first, angle;    // `angle` from `first` on; not above 0: the part is empty
};

Arc arcAlong(int n, vec3 x, vec3 ray, float far) {
    vec3 lamp = view.lights[n].towards - x;
    float R = lampRadius(), nearest = dot(lamp, ray);
    vec3 beside = nearest * ray - lamp;
    float h = max(length(beside), 1e-6 * R), halfChord = sqrt(max(R * R - h * h, 0.0));
    vec2 span = smokeSpan(x, safeInverse(ray)) - nearest, cone = anglesInCone(n, beside / h, ray);
    float low = max(-halfChord, span.x), high = min(min(halfChord, far - nearest), span.y), first = max(atan(low, h), cone.x);
    return Arc(nearest, h, first, low < high ? min(atan(high, h), cone.y) - first : 0.0);
}

// The rest of the light of lamp n that is scattered once along a ray. Points have a density proportional to 1/r^2 (equiangular sampling:
// Kulla, Fajardo 2012). One of several is chosen in proportion to what it scatters without the smoke in between (resampled importance
// sampling), because the phase function may change much around the lamp. What remains is 1/h. Its variance over the rays grows with the
// logarithm of the least h.
const int kLampPoints = 8;
vec3 lampAlong(int n, vec3 x, vec3 ray, Arc arc, inout Random random) {
    vec4 u = uniform4(random);
    float t = 0.0, sum = 0.0, R = lampRadius();
    for (int k = 0; k < noUnroll(kLampPoints); ++k) {
        float s = arc.h * tan(arc.first + (float(k) + u.x) / float(kLampPoints) * arc.angle);
        vec3 y = x + (arc.nearest + s) * ray, away = view.lights[n].towards - y;
        float w = densityAt(y) * phase(dot(towardsLamp(away), ray), view.g, view.gBack, view.blend) * inCone(n, away) *
            (1.0 - (arc.h * arc.h + s * s) / (R * R));
        if (w <= 0.0) continue;
        sum += w;
        float p = w / sum;
        if (u.y < p) {
            t = arc.nearest + s;
            u.y /= p;
        } else {
            u.y = (u.y - p) / (1.0 - p);
        }
    }
    if (sum == 0.0) return vec3(0.0);
    vec3 y = x + t * ray, there = departure(y), towards = towardsDisc(towardsLight(n, y), lightWidth(n, y), random);
    int hit;
    float reach = lightDistance(n, y);
    surfaceHit(y, towards, reach, hit);
    if (hit >= 0) return vec3(0.0);
    return view.extinction * sum / float(kLampPoints) * (arc.angle / arc.h) * albedoAt(there, smokeAt(there)) * view.lights[n].power *
        transmittanceEstimate(x, ray, t, random) * transmittanceEstimate(y, towards, reach, random);
}

vec3 lampsAlong(vec3 x, vec3 ray, float far, inout Random random) {
    vec3 L = vec3(0.0);
    for (int n = 0; n < kLights; ++n) {
        if (!mayBeNear(n)) continue;
        Arc arc = arcAlong(n, x, ray, far);
        if (arc.angle > 0.0) L += lampAlong(n, x, ray, arc, random);
    }
    return L;
}
