#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/environment.glsl"
#include "shared/transmittance.glsl"
#include "shared/lit.glsl"
#include "shared/camera.glsl"
#include "shared/splat_layer.glsl"
#include "shared/reflection.glsl"
#include "shared/diffuse_surface.glsl"
#include "shared/liquid/liquid_optics.glsl"
#include "shared/liquid/liquid_rays.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// Anti-aliases edges in the image of a liquid, where one ray per pixel makes steps. A pixel is an edge if it is brighter or darker than a
// neighbour and the first surface ends or bends there, or if the contrast is very high. It becomes the mean of its own ray and of four rays
// around it, on a rotated square in which each ray has its own row and column. Other pixels do not change.
// The threads of a group share the rays of its edges, because there are few edges.
layout(binding = 6) uniform writeonly image2D radiance;
layout(binding = 7) uniform sampler2D whole;  // one ray per pixel
layout(binding = 8) uniform sampler2D depthIn;
// approximate shares of the display's range: contrast at an edge of the surface, and contrast without one, as where the surface meets a
// body
const float kEdgeContrast = 0.1, kHighContrast = 0.3;
const float kBend = 0.01;                 // change of the slope of the depth, over the depth
const int kThreads = 64, kRays = 4;
shared int edgeCount, edges[kThreads];  // pixels of the group, in any order
shared vec4 found[kRays * kThreads];

// Approximate brightness on the display: L / (1 + L) of the exposed luminance.
float brightness(ivec2 pixel) {
    float Y = view.exposure * dot(texelFetch(whole, clamp(pixel, ivec2(0), view.pixels - 1), 0).rgb, vec3(0.2126, 0.7152, 0.0722));
    return Y / (1.0 + Y);
}

float depthOf(ivec2 pixel) { return min(texelFetch(depthIn, clamp(pixel, ivec2(0), view.pixels - 1), 0).x, kFar); }

bool isEdge(ivec2 pixel) {
    float here = brightness(pixel), most = 0.0, Z = depthOf(pixel), bend = 0.0;
    for (int axis = 0; axis < 2; ++axis) {
        ivec2 next = axis == 0 ? ivec2(1, 0) : ivec2(0, 1);
        most = max(most, max(abs(brightness(pixel + next) - here), abs(brightness(pixel - next) - here)));
        bend = max(bend, abs(depthOf(pixel + next) - 2.0 * Z + depthOf(pixel - next)));
    }
    return most > (bend > kBend * Z ? kEdgeContrast : kHighContrast);
}

vec4 offRay(ivec2 pixel, int n) {
    vec2 offset = vec2(0.375, 0.125);
    for (int k = 0; k < n; ++k) offset = vec2(-offset.y, offset.x);
    LiquidSight s = look(vec2(pixel) + 0.5 + offset);
    return vec4(s.radiance, s.seen ? 1.0 : 0.0);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), corner = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy);
    int me = int(gl_LocalInvocationIndex), slot = -1;
    if (me == 0) edgeCount = 0;
    barrier();
    bool inside = all(lessThan(pixel, view.pixels));
    if (inside && isEdge(pixel)) {
        slot = atomicAdd(edgeCount, 1);
        edges[slot] = me;
    }
    barrier();
    for (int i = me; i < kRays * edgeCount; i += kThreads)
        found[i] = offRay(corner + ivec2(edges[i / kRays] % 8, edges[i / kRays] / 8), i % kRays);
    barrier();
    if (!inside) return;
    vec4 sum = texelFetch(whole, pixel, 0);
    if (slot >= 0) {
        for (int n = 0; n < kRays; ++n) sum += found[kRays * slot + n];
        sum /= float(kRays + 1);
    }
    imageStore(radiance, pixel, sum);
}
