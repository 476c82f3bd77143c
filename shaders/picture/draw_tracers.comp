#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/splats.glsl"
// Draws tracers as points, or as arrows from their position to where their velocity takes them, getting thinner to the tip. Their colour
// shows their speed.
layout(binding = 4, scalar) readonly buffer Tracers { vec4 tracers[]; };
layout(push_constant, scalar) uniform Push { TracerSplats push; };

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= push.count || tracers[n].w <= 0.0) return;
    vec4 tracer = tracers[n];
    vec3 u = velocityAt(tracer.xyz), x = worldPoint(tracer.xyz), from = projectToImage(x);
    uint colour = uint(clamp(push.perSpeed * length(u), 0.0, float(WISP_SPLAT_COLOURS - 1u)));
    float radius = push.radius * min(1.0, tracer.w / push.fade);
    if (!isInPicture(from, radius + push.arrow * length(u) * samplesPerMetre(from.z))) return;
    vec3 to = projectToImage(x + push.arrow * u);
    if (to.z <= 0.0) return;
    int steps = push.arrow == 0.0 ? 0 : clamp(int(ceil(distance(from.xy, to.xy))), 1, kLongest);
    for (int i = 0; i <= steps; ++i) {
        float s = float(i) / float(max(steps, 1));
        putDisc(mix(from, to, s), radius * (1.0 - s), colour);
    }
}
