#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/field_picture.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// The field as a glowing medium. It emits its colour. Its extinction grows with the square of its strength s (how far the value is from 0
// towards the limits), so that small values are transparent and large ones stand out: C += T (1 - exp(-opacity s^2 d)) colour,
// T *= exp(-opacity s^2 d). `value` is the value of largest magnitude that no obstacle hides. The edges of the box, and obstacles lit from
// the camera, show where the field is. The depth is defined as in raymarch.comp.
layout(binding = 9) uniform writeonly image2D depth;
layout(push_constant, scalar) uniform Push { VolumePush push; };

float strength(float place) { return push.isSigned == 1 ? abs(2.0 * place - 1.0) : place; }

vec3 solidColour(vec3 x, vec3 ray, int obstacle) {
    ShapeData s = obstacles[obstacle].shape;
    float e = s.kind == WISP_MESH ? 0.5 * s.radius : 0.01 * sim.h;  // a filter resolves a voxel in steps of 1/256
    vec3 k = vec3(1.0, -1.0, 0.0);                                  // tetrahedral differences
    vec3 normal = normalize(k.xyy * signedDistance(s, x + e * k.xyy) + k.yyx * signedDistance(s, x + e * k.yyx) +
                            k.yxy * signedDistance(s, x + e * k.yxy) + k.xxx * signedDistance(s, x + e * k.xxx));
    return kSolid * (0.3 + 1.2 * max(-dot(normal, ray), 0.0));
}

// Coverage of a pixel by an edge of the box, where a ray crosses the surface of the box at x at the distance t: two faces are near there.
float edge(vec3 x, float t) {
    vec3 d = min(abs(x - sim.origin), abs(sim.origin + boxSize() - x));
    float next = max(min(d.x, d.y), min(max(d.x, d.y), d.z));  // the median of three
    return clamp(1.0 - next * float(view.pixels.y) / (2.0 * t * length(view.up)), 0.0, 1.0);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    vec2 s = (vec2(pixel) + 0.5) / vec2(view.pixels) * 2.0 - 1.0;
    vec3 ray = normalize(view.forward + s.x * view.right - s.y * view.up);
    int obstacle;
    float hit = obstacleHit(view.eye, ray, kFar, obstacle);
    vec2 span = boxSpan(view.eye, safeInverse(ray));
    bool crosses = span.x < span.y;
    vec3 far = obstacle >= 0 ? solidColour(view.eye + hit * ray, ray, obstacle) : kBackground;
    if (crosses && span.y < hit) far = mix(far, kSolid, edge(view.eye + span.y * ray, span.y));

    vec3 C = vec3(0.0);
    float T = 1.0, shown = 0.0, end = min(span.y, hit), seen = 0.0, way = 0.0;
    for (float t = span.x; t < end && T > 1e-3; t += push.stepLength) {
        float d = min(push.stepLength, end - t), v = textureLod(values, unitPoint(view.eye + (t + 0.5 * d) * ray), 0.0).x;
        float place = cellIndex(v), through = exp(-push.opacity * strength(place) * strength(place) * d);
        float taken = T * (1.0 - through);
        C += taken * colourAt(place);
        seen += taken;
        way += taken * (t + 0.5 * d);
        T *= through;
        if (abs(v) > abs(shown)) shown = v;
    }
    C += T * far;
    if (crosses && span.x > 0.0 && span.x < hit) C = mix(C, kSolid, edge(view.eye + span.x * ray, span.x));
    if (obstacle >= 0) {
        seen += T;
        way += T * hit;
    }
    imageStore(depth, pixel, vec4(seen > 0.0 ? way / seen * dot(ray, view.forward) : uintBitsToFloat(0x7f800000u)));
    show(pixel, view.pixels, vec4(C, 1.0 - T), shown);
}
