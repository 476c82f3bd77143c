// SPDX-License-Identifier: MIT
// Optical depths along straight segments from u with the vector s. There is no smoke outside the lit part of the box. Needs
// shared/volume.glsl.
#include "shared/light_window.glsl"

// Distance from u along s to the side where it leaves the lit part, in multiples of s.
float leave(vec3 u, vec3 s) {
    vec3 inverse = safeInverse(s), t = (step(0.0, inverse) - u) * inverse;
    return max(min(t.x, min(t.y, t.z)), 0.0);
}

float densityIn(vec3 u) { return kSparse ? densityAt(litLow() + u * litSize()) : densityOf(smokeAt(scalars, u)); }

// Optical depth of the smoke along one s, which is `metres` long: midpoint rule with N samples.
float depthAlong(vec3 u, vec3 s, float metres, const int N) {
    float inside = min(leave(u, s), 1.0) / float(N), sum = 0.0;
    [[unroll]] for (int i = 0; i < N; ++i) sum += densityIn(u + (float(i) + 0.5) * inside * s);
    return view.extinction * metres * inside * sum;
}

// Optical depth from a volume that stores depths along at most `most` multiples of s, at the centres of sky cells. Beyond the outermost
// centres the density counts as constant: the depth is proportional to the distance to the side where s leaves the box.
vec4 knownDepth(sampler3D volume, vec3 u, vec3 s, float most) {
    vec3 rim = 0.5 / vec3(skyCells()), known = clamp(u, rim, 1.0 - rim);
    return min(leave(u, s), most) / min(leave(known, s), most) * textureLod(volume, inVolume(known, skyCells(), view.skyCells), 0.0);
}
