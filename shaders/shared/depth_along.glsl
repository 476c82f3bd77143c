// SPDX-License-Identifier: MIT
// Optical depths along straight ways from u along s [edges of the box]. No smoke lies beyond the box. Needs shared/volume.glsl.

// So many s lead from u out of the box.
float leave(vec3 u, vec3 s) {
    vec3 inverse = safeInverse(s), t = (step(0.0, inverse) - u) * inverse;
    return max(min(t.x, min(t.y, t.z)), 0.0);
}

// Of the smoke on one s, `metres` long: midpoint rule with N samples.
float depthAlong(vec3 u, vec3 s, float metres, const int N) {
    float inside = min(leave(u, s), 1.0) / float(N), sum = 0.0;
    [[unroll]] for (int i = 0; i < N; ++i) sum += textureLod(scalars, u + (float(i) + 0.5) * inside * s, 0.0).x;
    return view.extinction * metres * inside * sum;
}

// From a volume that holds depths of `most` s at most, from the middles of sky cells. Between the outermost of them and a side that
// s leaves through, smoke counts as even: depths grow with the way to that side.
vec4 knownDepth(sampler3D volume, vec3 u, vec3 s, float most) {
    vec3 rim = 0.5 / vec3(view.skyCells), known = clamp(u, rim, 1.0 - rim);
    return min(leave(u, s), most) / min(leave(known, s), most) * textureLod(volume, known, 0.0);
}
