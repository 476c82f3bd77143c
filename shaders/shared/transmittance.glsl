// SPDX-License-Identifier: MIT
// Beer-Lambert along a straight line: exp(-integral of extinction * density). The midpoint rule skips steps whose midpoints lie in empty
// bricks. Needs shared/volume.glsl.
#include "shared/occupancy.glsl"
float transmittance(vec3 x, vec3 d, float far, float stepLength) {
    vec3 inverse = safeInverse(d);
    vec2 span = smokeSpan(x, inverse);
    float inside = min(span.y, far) - span.x;
    if (inside <= 0.0) return 1.0;  // avoids steps of length 0
    int steps = clamp(int(ceil(inside / stepLength)), 1, 512);
    float dt = inside / float(steps), depth = 0.0, known = 0.0;  // known: distance up to which the brick is known to contain smoke
    for (int i = 0; i < steps && depth < 12.0; ++i) {
        float t = span.x + (float(i) + 0.5) * dt;
        vec3 at = x + t * d;
        if (t >= known) {
            known = t + brickEnd(at, inverse);
            if (largestDensity(at) <= view.minDensity) {
                i += max(int(ceil((known - t) / dt)) - 1, 0);
                continue;
            }
        }
        depth += view.extinction * dt * densityAt(at);
    }
    return exp(-depth);
}
