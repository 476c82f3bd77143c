// SPDX-License-Identifier: MIT
// What a point of a liquid's picture sees: see liquid_picture.comp. Needs the files that it includes before this one.
const int kSurfaces = 8;         // that a ray meets at most
const float kBlur = 0.15, kMostFocused = 5.0;
const float kSunLobe = 1500.0;  // power of a cosine: the sun's disc and ripples that no cell holds

// How much brighter light is so far below a surface of this curvature, which is a lens: a beam's area goes with (1 - f)^2, f the way over
// the focal length 2 / ((1 - 1/n) div normal). A beam is no thinner than the ripples that no cell holds make it.
float focused(float way, vec3 x) {
    float f = 0.5 * way * (1.0 - 1.0 / push.refraction) * curvatureAt(x);
    return min(1.0 / ((1.0 - f) * (1.0 - f) + kBlur), kMostFocused);
}

// Under the surface light comes from where it is refracted, as by a level one, and is focused there.
vec3 lightLeft(int n, vec3 x) {
    vec3 d = towardsLight(n, x);
    if (phiAt(x) >= 0.0 || any(notEqual(clamp(unitPoint(x), 0.0, 1.0), unitPoint(x))))
        return leftAfter(liquidAlong(x, d, lightDistance(n, x)));
    d = -refract(-d, vec3(0.0, 1.0, 0.0), 1.0 / push.refraction);
    float t = 0.0, beyond, end = boxSpan(x, safeInverse(d)).y;
    bool met = meetsSurface(x, d, -1.0, end, t, beyond);
    return leftAfter(t) * (1.0 - fresnel(max(d.y, 0.0), push.refraction)) * (met ? focused(t, x + t * d) : 1.0);
}
vec3 skyLeft(vec3 x) { return leftAfter(liquidAlong(x, vec3(0.0, 1.0, 0.0), kFar)); }

struct Ray {
    vec3 x, d;
    vec3 T;      // what of it reaches the eye
    float way;   // from there [m]
};

// The side of the box that x is on, outwards.
vec3 sideAt(vec3 x) {
    vec3 u = 2.0 * unitPoint(x) - 1.0, a = abs(u);
    return sign(u) * (a.x > max(a.y, a.z) ? vec3(1.0, 0.0, 0.0) : a.y > a.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0));
}

// What surface, or what far away, is seen along a ray; the last of its way may be in the liquid.
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

// The next surface of the liquid: false if there is none. `before`, `beyond`: distances just before and behind it, `normal`: away from the
// liquid.
bool nextSurface(Ray r, bool inside, float far, out float before, out float beyond, out vec3 normal) {
    vec2 span = boxSpan(r.x, safeInverse(r.d));
    const float off = 1e-3 * sim.h;
    before = span.x;
    bool met = !inside && span.x > 0.0 && span.x < min(span.y, far) && phiAt(r.x + (span.x + off) * r.d) < 0.0;  // on a side of the box
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
    bool seen;     // anything but the surroundings
    float depth;   // of the first surface along the view axis [m]
};

LiquidSight look(vec2 place) {
    Ray r = Ray(view.eye, cameraRay(place), vec3(1.0), 0.0), mirrored = Ray(view.eye, r.d, vec3(0.0), 0.0);
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
    for (int n = 0; n < rolled(2); ++n) {
        Ray one = n == 0 ? r : mirrored;
        if (one.T != vec3(0.0)) L += one.T * seenBy(one, n == 1);
    }
    if (kMarks) {
        Marked m = marksBefore(ivec2(place), first, perDepth);
        L = (1.0 - m.cover) * L + (m.cover > 0.0 ? radianceOf(m, view.eye + m.t * mirrored.d) : vec3(0.0));
        first = seen ? mix(first, m.t, m.cover) : m.cover > 0.0 ? m.t : first;
        seen = seen || m.cover > 0.0;
    }
    return LiquidSight(L, seen, first / perDepth);
}
