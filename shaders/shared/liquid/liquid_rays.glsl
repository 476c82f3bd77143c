// SPDX-License-Identifier: MIT
// Radiance at a point of a liquid's image: see liquid_picture.comp. Needs the files that liquid_picture.comp includes before this one.
const int kSurfaces = 8;         // maximum number of surfaces that a ray meets
const float kBlur = 0.15, kMostFocused = 5.0;
const float kSunLobe = 1500.0;  // exponent of a cosine: the sun's disc, widened by ripples smaller than a cell

// Factor by which a surface with this curvature focuses light at the distance `way` below it. The surface is a lens: the area of a beam is
// proportional to (1 - f)^2, where f is the distance over the focal length 2 / ((1 - 1/n) div normal). Ripples smaller than a cell limit
// how thin a beam becomes.
float focused(float way, vec3 x) {
    float f = 0.5 * way * (1.0 - 1.0 / push.refraction) * curvatureAt(x);
    return min(1.0 / ((1.0 - f) * (1.0 - f) + kBlur), kMostFocused);
}

// Under the surface, light comes from its direction after refraction by a level surface, and the curvature of the surface focuses it.
vec3 lightThroughLiquid(int n, vec3 x) {
    vec3 d = towardsLight(n, x);
    if (phiAt(x) >= 0.0 || any(notEqual(clamp(unitPoint(x), 0.0, 1.0), unitPoint(x))))
        return leftAfter(liquidAlong(x, d, lightDistance(n, x)));
    d = -refract(-d, vec3(0.0, 1.0, 0.0), 1.0 / push.refraction);
    float t = 0.0, beyond, end = boxSpan(x, safeInverse(d)).y;
    bool met = meetsSurface(x, d, -1.0, end, t, beyond);
    return leftAfter(t) * (1.0 - fresnel(max(d.y, 0.0), push.refraction)) * (met ? focused(t, x + t * d) : 1.0);
}
vec3 skyThroughLiquid(vec3 x) { return leftAfter(liquidAlong(x, vec3(0.0, 1.0, 0.0), kFar)); }

struct Ray {
    vec3 x, d;
    vec3 T;      // share of the ray's radiance that reaches the eye
    float way;   // distance from the eye [m]
};

// Outward normal of the side of the box on which x lies.
vec3 sideAt(vec3 x) {
    vec3 u = 2.0 * unitPoint(x) - 1.0, a = abs(u);
    return sign(u) * (a.x > max(a.y, a.z) ? vec3(1.0, 0.0, 0.0) : a.y > a.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0));
}

// Radiance of the surface or the environment that is seen along a ray. The last part of the ray may be in the liquid; the caller applies
// its absorption.
vec3 seenBy(Ray r, bool highlights) {
    int hit;
    float far = surfaceHit(r.x, r.d, kFar, hit);
    if (hit >= 0) return surface(r.x + far * r.d, r.d, hit, max(r.way + far, 1e-6));
    vec3 L = environmentRadiance(r.d);
    for (int n = 0; n < kLights; ++n)
        L += (highlights ? (kSunLobe + 1.0) / (2.0 * kPi) : 0.0) * pow(max(dot(r.d, towardsLight(n, r.x)), 1e-6), kSunLobe) *
            directLight(n, r.x);
    return L;
}

// Finds the next surface of the liquid; false if there is none. `before`, `beyond`: distances just before and just behind it. `normal`:
// points away from the liquid.
bool nextSurface(Ray r, bool inside, float far, out float before, out float beyond, out vec3 normal) {
    vec2 span = boxSpan(r.x, safeInverse(r.d));
    const float off = 1e-3 * sim.h;
    before = span.x;
    // The ray enters the liquid through a side of the box.
    bool met = !inside && span.x > 0.0 && span.x < min(span.y, far) && phiAt(r.x + (span.x + off) * r.d) < 0.0;
    beyond = span.x + off;
    normal = sideAt(r.x + span.x * r.d);
    if (met) return true;
    met = meetsSurface(r.x, r.d, inside ? -1.0 : 1.0, min(span.y, far), before, beyond);
    if (met) normal = normalAt(r.x + before * r.d);
    else if (inside && span.y < far - 0.01 * sim.h) {
        met = true;
        before = max(span.y - off, 0.0);
        beyond = span.y + off;
        normal = sideAt(r.x + span.y * r.d);
    }
    return met;
}

struct LiquidSight {
    vec3 radiance;
    bool seen;     // the ray meets something other than the environment
    float depth;   // depth of the first surface along the view axis [m]
};

LiquidSight look(vec2 index) {
    Ray r = Ray(view.eye, cameraRay(index), vec3(1.0), 0.0), mirrored = Ray(view.eye, r.d, vec3(0.0), 0.0);
    float first = kFar, perDepth = 1.0 / dot(r.d, view.forward);
    vec3 L = vec3(0.0), u = unitPoint(r.x);
    bool inside = all(greaterThan(u, vec3(0.0))) && all(lessThan(u, vec3(1.0))) && phiAt(r.x) < 0.0, goesOn = true, seen = false;
    for (int n = 0; n < kSurfaces && goesOn; ++n) {
        int hit;
        float far = surfaceHit(r.x, r.d, kFar, hit), before, beyond;
        vec3 normal;
        goesOn = nextSurface(r, inside, far, before, beyond, normal);
        if (inside) r.T *= leftAfter(goesOn ? before : far);
        if (n == 0) {
            first = goesOn ? before : far;
            seen = goesOn || hit >= 0;
        }
        if (!goesOn) break;
        normal = faceforward(normal, r.d, normal);
        float eta = inside ? push.refraction : 1.0 / push.refraction, F = fresnel(min(-dot(normal, r.d), 1.0), eta);
        vec3 back = reflect(r.d, normal), x = r.x + before * r.d;
        if (n == 0 && !inside) mirrored = Ray(x + 0.01 * sim.h * normal, back, r.T * F, before);
        else if (F < 1.0) L += r.T * F * (inside ? environmentMean(back, 2.0 / 3.0, 0.25) : environmentRadiance(back));
        r.way += beyond;
        r.x = F < 1.0 ? r.x + beyond * r.d : x;
        r.d = F < 1.0 ? refract(r.d, normal, eta) : back;
        r.T *= F < 1.0 ? 1.0 - F : 1.0;
        inside = inside != F < 1.0;
        goesOn = max(r.T.x, max(r.T.y, r.T.z)) > 1e-3;
    }
    for (int n = 0; n < noUnroll(2); ++n) {
        Ray one = n == 0 ? r : mirrored;
        if (one.T != vec3(0.0)) L += one.T * seenBy(one, n == 1);
    }
    if (kSplats) {
        SplatLayer m = splatBefore(ivec2(index), first, perDepth);
        L = (1.0 - m.cover) * L + (m.cover > 0.0 ? radianceOf(m, view.eye + m.t * mirrored.d) : vec3(0.0));
        first = seen ? mix(first, m.t, m.cover) : m.cover > 0.0 ? m.t : first;
        seen = seen || m.cover > 0.0;
    }
    return LiquidSight(L, seen, first / perDepth);
}
