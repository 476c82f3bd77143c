// SPDX-License-Identifier: MIT
// Surfaces: obstacles and the ground. The ground is a plane at the floor of the box that only rays from above meet. Needs
// shared/volume.glsl.
layout(constant_id = 8) const bool kHasGround = false;
const int kGround = WISP_MAX_OBSTACLES;  // index of the ground where an index of an obstacle is expected

// Distance to the first surface along a ray, at most `far`; `hit` is the obstacle, kGround, or -1. `width`, `edge`: see obstacleEdge.
float surfaceEdge(vec3 x, vec3 d, float far, float width, out int hit, out Edge edge) {
    far = obstacleEdge(x, d, far, width, hit, edge);
    if (!kHasGround || d.y >= 0.0 || x.y < sim.origin.y) return far;
    float t = (sim.origin.y - x.y) / d.y;
    if (t >= far) return far;
    hit = kGround;
    if (edge.t >= t) edge.cover = 0.0;
    return t;
}

float surfaceHit(vec3 x, vec3 d, float far, out int hit) {
    Edge edge;
    return surfaceEdge(x, d, far, 0.0, hit, edge);
}

// Opacity of the ground at x. The environment is seen through the rest.
float groundCover(vec3 x) {
    vec2 middle = sim.origin.xz + 0.5 * boxSize().xz;
    if (opaqueToCompiler(int(view.groundRadius > 0.0)) == 0) return 1.0;
    return 1.0 - smoothstep(1.0, 2.0, distance(x.xz, middle) / view.groundRadius);
}

vec3 surfaceNormal(vec3 x, int hit) {
    if (hit == kGround) return vec3(0.0, 1.0, 0.0);
    ShapeData s = shapeOf(hit);
    float e = s.kind == WISP_MESH ? 0.5 * s.radius : 0.01 * sim.h;  // a filter resolves a voxel in steps of 1/256
    vec3 sum = vec3(0.0);
    for (int n = 0; n < noUnroll(4); ++n) {  // tetrahedral differences
        vec3 k = vec3(n == 0 || n == 3 ? 1.0 : -1.0, n < 2 ? -1.0 : 1.0, (n & 1) == 0 ? -1.0 : 1.0);
        sum += k * signedDistance(s, x + e * k);
    }
    return normalize(sum);
}

// The point of the obstacle's surface nearest to x. x must be close to the surface.
vec3 onSurface(vec3 x, int hit) { return hit == kGround ? x : x - signedDistance(shapeOf(hit), x) * surfaceNormal(x, hit); }

// Start of rays that leave a surface that was hit at the distance `t`. It is ten times as far from the surface as the point where
// obstacleHit may have stopped, and farther than the rounding error of the filter in a mesh's grid.
vec3 besideSurface(vec3 x, vec3 normal, int hit, float t) {
    float off = 1e-3 * sim.h * (10.0 + t);
    if (hit == kGround) x.y = sim.origin.y;
    else if (kHasMeshes && obstacles[hit].shape.kind == WISP_MESH) off = max(off, 0.02 * obstacles[hit].shape.radius);
    return x + off * normal;
}
