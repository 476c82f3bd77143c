#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/ambient_flow.glsl"
#include "shared/random.glsl"
#include "shared/splats.glsl"
#define WISP_WIND_SAMPLE(faces, texel, perTexel) \
    (kSparse ? facesAnywhere(faces, texel, false) : textureLod(faces, (texel) * (perTexel), 0.0))
#include "wisp/wind.glsl"
// Draws blades of grass that lean with the wind. Each is a parabola that is nowhere horizontal and whose tip leans by atan(|u| / bend). u
// is sampled as any program may do it (wisp/wind.glsl), with the gusts of the ambient flow. Roots are dark. Blades that lean show their
// paler side.
layout(push_constant, scalar) uniform Push { GrassSplats push; };
const float kWidth = 0.022;  // width of a blade at its root, over its length
const float kWidest = 32.0;  // maximum half width [samples], however near to the eye: one thread draws a blade

vec3 windAt(vec3 x) {
    vec3 outside = ambientFlow((x - sim.origin) / sim.h, push.air);
    return wispWindAt(velocity, WispWind(sim.origin, sim.h, sim.cells, kPeriodic, outside, 0.0), x);
}

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= push.count) return;
    Random random = Random(uvec3(n, 0u, push.seed), 0u);
    vec4 r = uniform4(random), q = uniform4(random);
    vec2 cell = vec2(n % push.columns, n / push.columns) + r.xy;
    vec3 root = vec3(push.low[0] + cell.x * push.step[0], push.low[1], push.low[2] + cell.y * push.step[1]);
    float height = push.height * mix(0.5, 1.5, r.z);
    vec3 at = projectToImage(root);
    if (!isInPicture(at, 2.0 * height * samplesPerMetre(at.z))) return;
    vec2 u = windAt(root + vec3(0.0, 0.5 * height, 0.0)).xz;
    vec2 lean = push.perBend * u * mix(0.7, 1.3, q.x) + 0.5 * (q.yz - 0.5);  // tangent of the angle
    float slope = inversesqrt(1.0 + dot(lean, lean)), paler = 1.0 - slope;
    vec3 tip = height * slope * vec3(lean.x, 1.0, lean.y), middle = vec3(0.0, 0.6 * height * (0.5 + 0.5 * slope), 0.0);
    vec3 end = projectToImage(root + tip);
    if (end.z <= 0.0) return;
    int steps = clamp(int(ceil(1.3 * distance(at.xy, end.xy))), 1, kLongest);
    float width = min(0.5 * kWidth * height * samplesPerMetre(at.z), kWidest);
    for (int i = 0; i <= steps; ++i) {
        float s = float(i) / float(steps), shade = mix(0.15, 1.0, s) * mix(0.55, 0.8, q.w) * (1.0 + 0.5 * paler);
        uint colour = WISP_SPLAT_LIT | uint(clamp(shade, 0.0, 1.0) * float(WISP_SPLAT_COLOURS - 1u));
        putDisc(projectToImage(root + s * (2.0 * (1.0 - s) * middle + s * tip)), width * (1.0 - s), colour);
    }
}
