// SPDX-License-Identifier: MIT
// Position of the surface of a no-slip obstacle between the centres of two faces, from the distances at these centres. Second order; the
// apertures would only resolve it to a cell. Needs shared/grid.glsl, shared/solids.glsl.
layout(binding = 12) uniform sampler3D solidDistance;  // of cell centres [cells], see obstacles.comp

// Distance from the centre of a face to the nearest obstacle [cells].
float faceDistance(ivec3 c, int axis) {
    return 0.5 * (texelFetch(solidDistance, inGrid(c, sim.cells), 0).x + texelFetch(solidDistance, inGrid(c - unit(axis), sim.cells), 0).x);
}

// Whether none of the faces that diffusion reads for this texel can be inside an obstacle.
bool farFromObstacles(ivec3 c) { return sim.obstacleCount == 0 || obstaclesBeyond(vec3(c)) > 3.0; }

// One over the distance from a face in the fluid to the surface [1/cells], from the distances of the outside and the inside face. Distances
// below 0.1 count as 0.1. Otherwise the residual of the projection in this velocity would be amplified.
float nearness(float outsideOf, float insideOf) { return min((outsideOf - insideOf) / max(outsideOf, 1e-6), 10.0); }

// Velocity [m/s] of the obstacle nearest to the centre of the face, at the offset `away` [cells] from this centre.
vec3 bodyVelocity(ivec3 face, int axis, vec3 away) {
    vec3 u = vec3(0.0);
    for (int once = 0; once < noUnroll(1); ++once) {
        NearestObstacle o = nearestObstacle(worldPoint(facePoint(face, axis)));
        if (o.index >= 0) u = obstacleVelocity(o.index, o.r + sim.h * away);
    }
    return u;
}
