// SPDX-License-Identifier: MIT
// The smoke as a medium: density at a point, rays through its box. Positions are in metres. Needs shared/grid.glsl.
#include "shared/view.h"
#include "shared/shapes.glsl"
#include "shared/black_body.h"
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler3D scalars;
layout(constant_id = 1) const int kOctaves = 3;
layout(constant_id = 2) const int kLights = 1;
layout(constant_id = 38) const bool kNearLamps = true;  // see Settings::hasNearLamps
layout(binding = 10) uniform sampler3D smokeColour;         // density times colour
layout(constant_id = 10) const bool kHasColours = false;  // false: all smoke is white, and smokeColour is not read
layout(constant_id = 34) const bool kFire = false;        // hot smoke and burning gas send out light
layout(constant_id = 35) const bool kShutter = false;     // pictures show the time during which a shutter is open
float shutterTime = 0.0;  // the moment that the invocation sees [s], from the time of the fields on
const float kPi = 3.14159265358979;
const float kFar = 1e30;

vec3 boxSize() { return vec3(sim.cells) * sim.h; }
vec3 unitPoint(vec3 x) { return (x - sim.origin) / boxSize(); }  // texture coordinate of any field that fills the box
// Sample of a field at scalar cells, at u [edges of the box].
vec4 smokeAt(sampler3D field, vec3 u) {
    if (!kSparse) return textureLod(field, u, 0.0);
    return sampleStoredScalars(field, u * vec3(sim.scalarCells));
}
// Density, temperature [K] above ambient, fuel.
vec4 smokeAt(vec3 x) {
    // smoke that has entered through an open side since the time of the fields: there is none outside
    if (kShutter && beyondOpenSide((x - sim.origin) / sim.h)) return vec4(0.0);
    return smokeAt(scalars, unitPoint(x));
}

// Optical density: the extinction over that of smoke of density 1. Gas that burns, fuel above the ignition temperature, absorbs, too.
float densityOf(vec4 s) { return kFire && s.y >= view.ignition ? s.x + view.flame * s.z : s.x; }
#ifdef WISP_SHUTTER
vec3 departure(vec3 x);  // see shared/shutter.glsl
#else
vec3 departure(vec3 x) { return x; }  // all other passes are for the time of the fields
#endif
float densityAt(vec3 x) { return densityOf(smokeAt(departure(x))); }

// The colour of smoke is stored as density times colour. This is linear: where smoke mixes, its colours mix in proportion to their amounts,
// and it is advected like the density. Divided by the density, it is the mean colour of the smoke at x, if there is any.
// `s`: smokeAt(x).
vec3 albedoAt(vec3 x, vec4 s) {
    vec3 albedo = kFire ? s.x / max(densityOf(s), 1e-20) * view.albedo : view.albedo;  // burning gas does not scatter
    if (!kHasColours) return albedo;
    vec3 colour = smokeAt(smokeColour, unitPoint(x)).rgb / max(s.x, 1e-20);
    return albedo * clamp(colour, 0.0, 1.0);
}

const float kGlowing = 700.0;  // [K] colder bodies send out less than 1e-7 of the light at 1500 K

// Temperature above ambient [K] for the light of flames: a cubic B-spline of the texels around x, as eight trilinear samples (Sigg,
// Hadwiger 2005). The light grows so steeply that trilinear interpolation of a thin sheet of flame would show a dot at each of its cells.
float smoothTemperature(vec3 x) {
    vec3 size = vec3(sim.scalarCells), t = unitPoint(x) * size - 0.5, f = fract(t), centre = floor(t) + 0.5, g = 1.0 - f;
    vec3 above = (1.0 + 3.0 * f + 3.0 * f * f - 3.0 * f * f * f) / 6.0, last = f * f * f / 6.0, first = g * g * g / 6.0;
    vec3 weight = above + last, below = 1.0 - weight - first;
    vec3 low = (centre - 1.0 + below / (below + first)) / size, high = (centre + 1.0 + last / weight) / size;
    float sum = 0.0;
    for (int n = 0; n < 8; ++n) {
        bvec3 upper = bvec3(n & 1, n & 2, n & 4);
        vec3 w = mix(1.0 - weight, weight, upper);
        sum += w.x * w.y * w.z * smokeAt(scalars, mix(low, high, upper)).y;
    }
    return sum;
}

// Radiance [W/(m^2 sr)] of a thick layer without scattering. By Kirchhoff's law a medium emits what it absorbs, times the light of a black
// body. `s`: smokeAt(x).
vec3 fireLight(vec3 x, vec4 s) {
    const mat3 toLinearSrgb = mat3(3.2404542, -0.9692660, 0.0556434, -1.5371385, 1.8760108, -0.2040259, -0.4985314, 0.0415560, 1.0572252);
    if (!kFire || view.glow == 0.0 || view.ambient + s.y < kGlowing) return vec3(0.0);
    return view.glow * max(toLinearSrgb * blackBodyXyz(view.ambient + smoothTemperature(x)), 0.0);
}
// Light that flames send out [W/(m^3 sr)].
vec3 emissionOf(vec3 x, vec4 s) { return view.extinction * densityOf(s) * (1.0 - albedoAt(x, s)) * fireLight(x, s); }

// Distances at which a ray enters and leaves a box from corner to corner; it misses the box if enter > leave. `inverse` = 1 / direction.
vec2 spanOf(vec3 from, vec3 to, vec3 x, vec3 inverse) {
    vec3 a = (from - x) * inverse, b = (to - x) * inverse;
    vec3 low = min(a, b), high = max(a, b);
    return vec2(max(max(low.x, low.y), max(low.z, 0.0)), min(min(high.x, high.y), high.z));
}
vec2 boxSpan(vec3 x, vec3 inverse) { return spanOf(sim.origin, sim.origin + boxSize(), x, inverse); }

vec3 safeInverse(vec3 d) {
    return 1.0 / mix(d, vec3(1e-8), lessThan(abs(d), vec3(1e-8)));
}

// The part of a ray between the periodic sides of the box. Only one period is shown, so bodies are cut at these sides.
vec2 periodSpan(vec3 x, vec3 inverse, float far) {
    vec3 a = (sim.origin - x) * inverse, b = (sim.origin + boxSize() - x) * inverse;
    vec3 low = mix(vec3(0.0), min(a, b), periodicAxes()), high = mix(vec3(far), max(a, b), periodicAxes());
    return vec2(max(max(low.x, low.y), max(low.z, 0.0)), min(min(high.x, high.y), min(high.z, far)));
}

// Obstacle n at the invocation's moment: a rigid motion by its velocities.
ShapeData shapeOf(int n) {
    ShapeData s = obstacles[n].shape;
    if (!kShutter) return s;
    s.centre += shutterTime * obstacles[n].velocity;
    vec3 angle = shutterTime * obstacles[n].angularVelocity;
    float a = length(angle);
    vec4 q = vec4(sin(0.5 * a) / max(a, 1e-20) * angle, cos(0.5 * a)), r = s.rotation;
    s.rotation = vec4(q.w * r.xyz + r.w * q.xyz + cross(q.xyz, r.xyz), q.w * r.w - dot(q.xyz, r.xyz));
    return s;
}

// The point of obstacle `hit` that is at x at the invocation's moment, where it is at the time of the fields.
vec3 atTimeOfFields(vec3 x, int hit) {
    if (!kShutter || hit >= WISP_MAX_OBSTACLES) return x;  // the ground
    ShapeData now = shapeOf(hit), then = obstacles[hit].shape;
    vec3 d = fromImage(x - now.centre, 0);
    vec3 before = rotate(then.rotation, rotate(vec4(-now.rotation.xyz, now.rotation.w), d));
    return x - now.centre + then.centre - d + before - shutterTime * deformation(then, before);
}

// The point at which a ray comes closest to an obstacle that it passes.
struct Edge {
    float t;      // [m]
    float cover;  // coverage of a pixel with a straight edge there; 0: no edge is close enough
    int hit;
};

// Distance along a ray at which it comes closest to the axis of a capsule or the centre of a sphere; `apart`: how close.
float closestTo(ShapeData s, vec3 x, vec3 d, out float apart) {
    vec3 axis = s.kind == WISP_CAPSULE ? rotate(s.rotation, s.halfExtent) : vec3(0.0), w = x - s.centre;
    float b = dot(d, axis), c = max(dot(axis, axis), 1e-20), e = dot(axis, w), f = dot(d, w);
    float t = max(clamp((e - b * f) / max(c - b * b, 1e-12 * c), -1.0, 1.0) * b - f, 0.0), at = clamp((e + t * b) / c, -1.0, 1.0);
    t = max(at * b - f, 0.0);
    apart = length(w + t * d - at * axis);
    return t;
}

// Whether a ray passes a capsule by more than half a pixel. The bounding ball of a capsule is much larger than the capsule.
bool passesCapsule(ShapeData s, vec3 x, vec3 d, float width) {
    float apart, t = closestTo(s, x, d, apart);
    return apart > s.radius + width * t + 1e-3 * sim.h * (1.0 + t);
}

// The part of a ray along which obstacles are looked for.
vec2 spanAmongObstacles(vec3 x, vec3 d, float most) {
    return kPeriodic != 0 ? periodSpan(x, safeInverse(d), most) : vec2(0.0, most);
}

// Shortens `far` to the distance to obstacle n along a ray, by sphere tracing. A ray that grazes a face makes short steps. After 256 steps
// it counts as a hit if it is closer than 1/256 of its length. A ray that has left the face behind is not that close.
void meetObstacle(int n, vec3 x, vec3 d, float first, float width, inout float far, inout int hit, inout Edge edge) {
    ShapeData s = shapeOf(n);
    float b = dot(s.centre - x, d), bound = boundOf(s) + width * max(b, 0.0);
    if (kPeriodic == 0 && length(s.centre - x - max(b, 0.0) * d) > bound) return;
    if (kPeriodic == 0 && s.kind == WISP_CAPSULE && passesCapsule(s, x, d, width)) return;
    float t = first;
    for (int k = 0; t < far; ++k) {
        float phi = signedDistance(s, x + t * d) + 0.5 * width * t;
        if (phi < 1e-4 * sim.h * (1.0 + t) || (k >= 256 && phi < t / 256.0)) {
            far = max(t + min(phi, 0.0), first);  // the distances in a mesh's grid may change faster than the true distance
            hit = n;
            return;
        }
        if (width > 0.0 && phi < (1.0 - edge.cover) * width * t) edge = Edge(t, 1.0 - phi / (width * t), n);
        t += phi;
    }
}

// Distance to the first obstacle along a ray, at most `most`. With the `width` of a pixel over its distance, obstacles shrink by half a
// pixel. `edge` is then the edge before the hit that covers most of the pixel: an edge half a pixel away from the ray covers nothing, an
// edge on the ray covers half.
float obstacleEdge(vec3 x, vec3 d, float most, float width, out int hit, out Edge edge) {
    hit = -1;
    edge = Edge(0.0, 0.0, -1);
    vec2 span = spanAmongObstacles(x, d, most);
    float far = span.y;
    for (int n = 0; n < sim.obstacleCount; ++n) meetObstacle(n, x, d, span.x, width, far, hit, edge);
    if (edge.t >= far || edge.hit == hit) edge.cover = 0.0;
    return hit < 0 ? most : far;
}

float obstacleHit(vec3 x, vec3 d, float most, out int hit) {
    Edge edge;
    return obstacleEdge(x, d, most, 0.0, hit, edge);
}
