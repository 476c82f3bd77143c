// SPDX-License-Identifier: MIT
// Samples a wisp velocity field in any program's shader. Needs GLSL 4.60 and nothing else of wisp.
//
//   faces   sampler3D, (cells + 1) texels along each axis, rgba16f or rgba32f, linear filter, clamped to the edge:
//           texel (i, j, k) holds [m/s] the velocity through the faces of cell (i, j, k) towards -x, -y and -z
//   wind    where they lie: `origin` moves with a box that follows a target, by whole cells, so that texels never change their place in the world
//   x       a place in the world [m]
//
// Outside of the box the air outside is there, without a step: within half a cell of the sides the two are mixed. NaN gives NaN.
struct WispWind {
    vec3 origin;   // low corner of the box [m]
    float h;       // edge of a cell [m]
    ivec3 cells;
    vec3 ambient;  // velocity of the air outside [m/s]
};

vec3 wispWindAt(sampler3D faces, WispWind wind, vec3 x) {
    vec3 p = (x - wind.origin) / wind.h, n = vec3(wind.cells), perTexel = 1.0 / (n + 1.0), u;
    vec3 beyond = max(-p, p - n);
    float outside = clamp(0.5 + max(beyond.x, max(beyond.y, beyond.z)), 0.0, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        vec3 texel = clamp(p, vec3(0.5), n - 0.5);  // past the last cells there are no faces of other axes
        texel[axis] = clamp(p[axis], 0.0, n[axis]) + 0.5;
        u[axis] = textureLod(faces, texel * perTexel, 0.0)[axis];
    }
    return any(isnan(x)) ? vec3(0.0) / 0.0 : mix(u, wind.ambient, outside);
}
