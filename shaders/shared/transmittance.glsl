// SPDX-License-Identifier: MIT
// Beer-Lambert along a straight line: exp(-integral of extinction * density), midpoint rule. Needs shared/volume.glsl.
float transmittance(vec3 x, vec3 d, float far, float stepLength) {
    vec2 span = boxSpan(x, safeInverse(d));
    float inside = max(min(span.y, far) - span.x, 0.0);
    int steps = clamp(int(ceil(inside / stepLength)), 1, 512);
    float dt = inside / float(steps), depth = 0.0;
    for (int i = 0; i < steps && depth < 12.0; ++i)
        depth += view.extinction * dt * densityAt(x + (span.x + (float(i) + 0.5) * dt) * d);
    return exp(-depth);
}
