#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_SHUTTER
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/environment.glsl"
#include "shared/transmittance.glsl"
#include "shared/lit.glsl"
#include "shared/camera.glsl"
#include "shared/shutter.glsl"
#include "shared/phase.glsl"
#include "shared/inverse_square.glsl"
#include "shared/splat_layer.glsl"
#include "shared/reflection.glsl"
#include "shared/diffuse_surface.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// Radiance towards the camera [W/(m^2 sr)]. Each step is integrated exactly for constant extinction and source: L += T S (1 - exp(-sigma
// d)) / sigma, T *= exp(-sigma d). Density and source are those at the centre of the step. The error is second order, and 0 in uniform
// smoke. In a brick of at most the density m, d = stepDensity / m if that is longer than stepLength, at most to the end of the
// brick: thin smoke takes few samples, dense smoke one per cell.
// With kOrdinates, multiple scattering comes from ordinates.comp, in `scattered`. Otherwise multiple scattering of lights is by octaves
// (Wrenninge, Kulla, Lundqvist 2013), that of the environment by the probability of escape, which is exact in a constant environment for
// smoke without absorption. Both are fitted to path mode.
// With a shutter the invocation sees one moment, see shared/shutter.glsl. Volumes of light are for the time of the fields, and are sampled
// where the smoke was then.
// Splats are opaque and thin. They cover their share of the pixel at the mean of their distances, where a step then ends.
// The depth is the mean distance along the view axis [m] from which the visible light comes. The weights are the shares of the ray that
// smoke takes at each step, and the share that reaches an obstacle. It is infinite where there is nothing.
layout(binding = 6) uniform writeonly image2D radiance;
layout(binding = 7) uniform writeonly image2D depth;
// light that was scattered before or comes from flames, and that of the environment, over the albedo: see ordinates.comp
layout(binding = 12) uniform sampler3D scattered;
// Composite, for a host that draws the rest: bodies, ground and environment are not drawn, and rays end at the host's depth.
layout(constant_id = 37) const bool kComposite = false;
layout(constant_id = 39) const bool kTransparent = false;  // the environment is not drawn
layout(binding = 28) uniform texture2D hostDepth;  // without a sampler: not every device filters depths
layout(binding = 8, scalar) readonly buffer Noise { float noise[]; };  // blue noise in (0, 1), a tile of 64 x 64

// From one octave to the next: scatteredAgain is the factor of the light, divided by the albedo^2 and the probability that light does not
// leave the smoke first. throughAgain is the exponent of the transmittance, because scattered light goes around smoke. kDirected is the
// factor of g. Fitted with three octaves and with six.
const float kDirected = 0.6;
float scatteredAgain() { return 1.21 - 0.09 * float(kOctaves - 3); }
float throughAgain() { return 0.45 + 0.05 * float(kOctaves - 3); }

vec3 lightThroughLiquid(int n, vec3 x) { return vec3(1.0); }  // there is no liquid
vec3 skyThroughLiquid(vec3 x) { return vec3(1.0); }

// Light of the environment that smoke without extinction would scatter along a ray.
vec3 ambientLight(vec3 ray) {
    return environmentMean(ray, mix(view.g, view.gBack, view.blend), mix(view.g * view.g, view.gBack * view.gBack, view.blend));
}

// Phase functions of a light's octaves; those of a sun are constant along a ray.
float lobes[kLights * kOctaves + 1];
void setLobes(int n, float cosine) {
    float directed = 1.0;
    for (int o = 0; o < (kOrdinates ? 1 : kOctaves); ++o, directed *= kDirected)
        lobes[n * kOctaves + o] = phase(cosine, view.g * directed, view.gBack * directed, view.blend);
}

// The same for a lamp, as means over a part of the ray that turns by `turn` around it from the angle `first` on.
void setLobesAround(int n, float first, float turn) {
    const int kParts = 4;
    float sums[kOctaves];
    for (int o = 0; o < kOctaves; ++o) sums[o] = 0.0;
    for (int k = 0; k < kParts; ++k) {
        setLobes(n, -sin(first + (float(k) + 0.5) / float(kParts) * turn));
        for (int o = 0; o < kOctaves; ++o) sums[o] += lobes[n * kOctaves + o] / float(kParts);
    }
    for (int o = 0; o < kOctaves; ++o) lobes[n * kOctaves + o] = sums[o];
}

// A step of the march: its centre on the ray, its length, and the width of the pixel there.
struct Step {
    vec3 x;
    float d, width;
};

// Irradiance of a light at x. Sets the lobes of a lamp. Near a lamp both are means over the step, irradiance also over the pixel, a box
// along the ray: a single value there may be any number.
vec3 lightAlong(int n, vec3 x, Step s, vec3 ray) {
    if (isKind(n, WISP_SUN)) return directLight(n, x);
    vec3 to = view.lights[n].towards - x;
    float r2 = dot(to, to), width = max(s.width, s.d / 16.0), most = max(s.d, width);
    if (!kNearLamps || r2 > 16.0 * most * most) {
        setLobes(n, dot(towardsLamp(to), ray));
        return directLight(n, x);
    }
    float along = dot(to, ray), h = sqrt(max(r2 - along * along, 0.01 * width * width)), begin = -along - 0.5 * s.d;
    setLobesAround(n, atan(begin, h), atan(s.d * h, h * h + begin * (begin + s.d)));
    vec3 right = normalize(camera.right), up = cross(right, ray), d = view.lights[n].towards - s.x;
    vec3 offset = vec3(dot(d, right), dot(d, up), dot(d, ray)), box = vec3(width, width, s.d);
    return coneOver(n, d, most) * inverseSquareMean(offset, box) * view.lights[n].power;
}

vec3 scatteredBefore(vec3 x) {
    ivec3 texels = textureSize(scattered, 0) / ivec3(1, 1, kFire ? 2 : 1), cells = kSparse ? lightWindow.ordinateCells[2] : texels;
    vec3 at = lightPoint(x, cells, texels);
    if (!kFire) return textureLod(scattered, at, 0.0).rgb;
    float rim = 0.5 / float(texels.z);  // the filter must not mix the two halves
    at.z = 0.5 * clamp(at.z, rim, 1.0 - rim);
    return textureLod(scattered, at, 0.0).rgb + textureLod(scattered, at + vec3(0.0, 0.0, 0.5), 0.0).rgb;
}

// Source radiance per unit extinction at x: single and multiple scattering, environment, emission. `there`: departure(x), `smoke`:
// smokeAt(there).
vec3 source(vec3 x, vec3 there, vec4 smoke, Step step, vec3 ray, vec3 ambient, vec4 T, vec3 again) {
    vec3 albedo = albedoAt(there, smoke), emission = view.emission + fireLight(there, smoke);
    if (kOrdinates) {
        vec3 s = again;
        for (int n = 0; n < kLights; ++n) {
            vec3 E = lightAlong(n, x, step, ray);
            s += (kMarchedShadows ? lit(n, x, view.stepLength) : T[n]) * lobes[n * kOctaves] * E;
        }
        return albedo * s + (1.0 - albedo) * emission;
    }
    float open = openAt(there, T);
    vec3 kept = (1.0 - open) * albedo * albedo, next = scatteredAgain() * kept, s = open * ambient;
    if (kOctaves > 1) s += open * kept / max(1.0 - kept, 1e-6) * view.environment[0];
    for (int n = 0; n < kLights; ++n) {
        vec3 E = lightAlong(n, x, step, ray);
        float t = kMarchedShadows ? lit(n, x, view.stepLength) : T[n], through = log2(max(t, 1e-20));
        vec3 share = vec3(1.0), sum = vec3(t * lobes[n * kOctaves]);
        for (int o = 1; o < kOctaves; ++o) {
            share *= next;
            through *= throughAgain();
            sum += share * (exp2(through) * lobes[n * kOctaves + o]);
        }
        s += sum * E;
    }
    return albedo * s + (1.0 - albedo) * emission;
}

// Passes something opaque and thin at the distance t, which covers the share `cover` of the pixel. Returns the transmittance of the smoke
// before it, for its light, which is added at the end.
float pass(float cover, float t, inout float T, inout float seen, inout float way) {
    float before = T;
    seen += T * cover;
    way += T * cover * t;
    T *= 1.0 - cover;
    return before;
}

const int kAtOnce = 2, kMostSteps = 8192;
const float kOpaque = 1e-4;  // transmittance below which the march ends

// Length of the first step as a share of a step, against banding: the steps of neighbouring pixels end at different distances. It is blue
// noise, which the eye averages best, and it changes from frame to frame.
float noiseAt(ivec2 pixel, float shift) { return fract(noise[(pixel.y & 63) * 64 + (pixel.x & 63)] + shift); }
float jitter(ivec2 pixel) { return noiseAt(pixel, view.noiseShift); }

// The moment in the time of an exposure: blue noise of another part of the tile, so that offset and moment of a pixel are independent. The
// moments of a pixel are evenly spaced: a body covers the pixel for the same number of moments, or one more, wherever it begins.
float momentOf(ivec2 pixel) { return noiseAt(pixel + ivec2(29, 37), view.shutterShift); }

// Distance along a ray to what the host has drawn. `cosine`: of the ray and the camera's axis.
float hostDistance(ivec2 pixel, float cosine) {
    if (view.hostFactor == 0.0) return kFar;
    float along = view.hostFactor / (texelFetch(hostDepth, pixel, 0).x + view.hostOffset);  // infinite without a far plane
    return along > 0.0 ? min(along / cosine, kFar) : kFar;
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    openShutter(momentOf(pixel));
    vec3 ray = cameraRay(camera, vec2(pixel) + 0.5), inverse = safeInverse(ray);
    int hit = -1;
    // width of a pixel, over its distance
    float width = view.footprint * 2.0 * length(camera.right) / float(view.pixels.x) * dot(ray, camera.forward);
    Edge edge = Edge(kFar, 0.0, -1);
    float far = kComposite ? hostDistance(pixel, dot(ray, camera.forward)) : surfaceEdge(camera.eye, ray, kFar, width, hit, edge);
    vec2 span = smokeSpan(camera.eye, inverse);
    span.y = min(span.y, far);

    // The smoke of a pixel is a mean over its area, too: samples alternate between the four points of Gauss's rule in the pixel, opposite
    // points in pairs.
    float gauss = view.footprint * 2.0 / sqrt(12.0) * dot(ray, camera.forward);
    vec3 right = gauss / float(view.pixels.x) * camera.right, up = gauss / float(view.pixels.y) * camera.up;
    // In a temporal mean, the first point differs from frame to frame and between neighbouring pixels, so that the mean lies between a
    // pixel's neighbours.
    bool isMean = opaqueToCompiler(int(view.noiseShift > 0.0)) != 0;
    int turn = isMean ? int(64.0 * view.noiseShift) + (pixel.x & 1) + 2 * (pixel.y & 1) : 0;
    if ((turn & 2) != 0) right = -right;
    if ((turn & 1) != 0) up = -up;

    SplatLayer splat = SplatLayer(kFar, 0.0, vec3(0.0), vec3(0.0));
    if (kSplats) splat = splatBefore(pixel, far, 1.0 / dot(ray, camera.forward));
    if (kSplats && kHasGround && splat.albedo != vec3(0.0)) {  // grass fades with the ground on which it stands
        float there = groundCover(camera.eye + splat.t * ray);
        splat = SplatLayer(splat.t, there * splat.cover, there * splat.shining, there * splat.albedo);
    }
    bool splatPending = kSplats && splat.cover > 0.0, edgePending = edge.cover > 0.0;
    float beforeSplat = 0.0, beforeEdge = 0.0;  // transmittances

    vec3 L = vec3(0.0), ambient = ambientLight(ray);
    for (int n = 0; n < kLights; ++n) setLobes(n, dot(view.lights[n].towards, ray));
    float T = 1.0, t = span.x, seen = 0.0, way = 0.0;
    float first = jitter(pixel), share = first, end = t, longest = 0.0, least = 0.0;  // the last three: of the brick
    for (int i = 0; i < kMostSteps && t < span.y && T > kOpaque; ++i) {
        // Finds the next brick that holds smoke. CPU devices do so in a loop of its own, because they would take samples in each round of
        // the other loop. On an H100 that loop would cost up to 7 %.
        for (; i < kMostSteps && t >= end && t < span.y; ++i) {
            vec3 x = camera.eye + t * ray;
            vec2 most = greatestOf(x);
            bool glows = isGlowing(most), isEmpty = most.x <= (glows ? 0.0 : view.minDensity);
            end = t + brickEnd(x, inverse);
            least = glows ? 0.5 * view.stepLength : view.stepLength;  // the light of flames changes steeply
            longest = glows ? least : view.stepDensity / max(most.x, 1e-6);
            if (isEmpty || longest > view.stepLength) share = first;  // steps that end with their brick need a new offset
            if (isEmpty) t = end;
            if (!kBranchless) break;
        }
        if (t >= end) continue;
        // Samples of several steps are taken together, because a single step would wait for its own. Light that was scattered before
        // changes little between them.
        float begin = t;
        float d[kAtOnce], at[kAtOnce];
        vec3 x[kAtOnce], there[kAtOnce];
        vec4 smoke[kAtOnce], reaches[kAtOnce];
        [[unroll]] for (int k = 0; k < kAtOnce; ++k) {
            float stop = kSplats && splatPending && t < splat.t ? min(span.y, splat.t) : span.y;
            d[k] = k > 0 && t >= end ? 0.0 : max(min(share * max(min(longest, end - t), least), stop - t), 0.0);
            share = 1.0;
            at[k] = t + 0.5 * d[k];
            x[k] = camera.eye + at[k] * (k == 0 ? ray + (right + up) : ray - (right + up));
            there[k] = departure(x[k]);
            smoke[k] = smokeAt(there[k]);
            reaches[k] = lightAt(there[k]);
            t += d[k];
        }
        vec3 middle = kShutter ? 0.5 * (there[0] + there[1]) : camera.eye + 0.5 * (begin + t) * ray;
        vec3 again = kOrdinates ? scatteredBefore(middle) : vec3(0.0);
        [[unroll]] for (int k = 0; k < kAtOnce; ++k) {
            if (kSplats && splatPending && at[k] > splat.t) {
                beforeSplat = pass(splat.cover, splat.t, T, seen, way);
                splatPending = false;
            }
            if (edgePending && at[k] > edge.t) {
                beforeEdge = pass(edge.cover, edge.t, T, seen, way);
                edgePending = false;
            }
            float sigma = view.extinction * densityOf(smoke[k]), through = exp(-sigma * d[k]), taken = T * (1.0 - through);
            Step step = Step(camera.eye + at[k] * ray, d[k], width * at[k]);
            if (taken > 0.0) L += taken * source(x[k], there[k], smoke[k], step, ray, ambient, reaches[k], again);
            seen += taken;
            way += taken * at[k];
            T *= through;
        }
        up = -up;
    }
    if (edgePending && T > kOpaque) beforeEdge = pass(edge.cover, edge.t, T, seen, way);
    if (kSplats && splatPending && T > kOpaque) beforeSplat = pass(splat.cover, splat.t, T, seen, way);
    if (kSplats && beforeSplat > 0.0) L += beforeSplat * radianceOf(splat, camera.eye + splat.t * ray);
    float hitShare = hit >= 0 ? T : 0.0, whole = 1.0;
    if (T <= kOpaque) {  // the rest of the ray gets the mean of what was seen so far
        whole = 1.0 / (1.0 - T);
        T = hitShare = 0.0;
    }
    // The edge, and what the ray hits behind it: a loop, because the code of a surface is long.
    for (int k = beforeEdge > 0.0 ? 0 : 1; k < noUnroll(hitShare > 0.0 ? 2 : 1); ++k) {
        int n = k == 0 ? edge.hit : hit;
        float at = k == 0 ? edge.t : far;
        vec3 x = camera.eye + at * ray;
        if (opaqueToCompiler(int(view.footprint)) != 0) x = onSurface(x, n);
        L += (k == 0 ? beforeEdge * edge.cover : hitShare) * surface(x, ray, n, at);
    }
    L = whole * L + (hit >= 0 || kComposite || kTransparent ? vec3(0.0) : T * environmentRadiance(ray));
    if (hit >= 0) {
        seen += T;
        way += T * far;
    }
    // Light that ordinates have from one direction too many may be missing in another. NaN stays.
    L = mix(L, vec3(0.0), lessThan(L, vec3(0.0)));
    imageStore(radiance, pixel, vec4(L, hit >= 0 ? 1.0 : 1.0 - T));
    imageStore(depth, pixel, vec4(seen > 0.0 ? way / seen * dot(ray, camera.forward) : uintBitsToFloat(0x7f800000u)));
}
