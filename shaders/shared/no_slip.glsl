// SPDX-License-Identifier: MIT
// Where a fluid that sticks to obstacles meets them: between the middles of two faces, by the distances there. Second order, where openness
// would say it
// by cells. Needs shared/grid.glsl, shared/solids.glsl.
layout(binding = 12) uniform sampler3D solidDistance;  // of cell centres [cells], see obstacles.comp

// Of a face's middle to the nearest obstacle [cells].
float faceDistance(ivec3 c, int axis) {
    return 0.5 * (texelFetch(solidDistance, inGrid(c, sim.cells), 0).x + texelFetch(solidDistance, inGrid(c - unit(axis), sim.cells), 0).x);
}

// Where nothing that is touched by diffusion of this texel's faces can be inside of an obstacle.
bool farFromObstacles(ivec3 c) { return sim.obstacleCount == 0 || obstaclesBeyond(vec3(c)) > 3.0; }

// One over the way from the fluid's face to the surface, of distances outside and inside [1/cells]. Less of a way than a tenth counts as
// that: what is
// left of the projection in its velocity would be blown up.
float nearness(float outsideOf, float insideOf) { return min((outsideOf - insideOf) / max(outsideOf, 1e-6), 10.0); }

// Velocity [m/s] of the obstacle around that face's middle, as it moves so far [cells] from there.
vec3 bodyVelocity(ivec3 face, int axis, vec3 away) {
    vec3 u = vec3(0.0);
    for (int once = 0; once < rolled(1); ++once) {
        NearestObstacle o = nearestObstacle(worldPoint(facePoint(face, axis)));
        if (o.index >= 0) u = obstacles[o.index].velocity + cross(obstacles[o.index].angularVelocity, o.r + sim.h * away);
    }
    return u;
}
