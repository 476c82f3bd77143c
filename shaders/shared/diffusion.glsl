// SPDX-License-Identifier: MIT
// u' = u + nu dt laplacian u of a face. The scheme is explicit and stable for nu dt / h^2 <= 1/6. The normal gradient is 0 at the sides of
// the box. On obstacles u = u_s. The obstacle term is implicit, because the distance to the neighbour's value can be short there. Needs
// shared/no_slip.glsl.
float diffused(sampler3D velocityIn, ivec3 c, int axis, bool far, float amount) {  // amount: nu dt / h^2
    float phi = far ? 1.0 : faceDistance(c, axis), u = texelFetch(velocityIn, c, 0)[axis], result = u, held = 0.0, wall = 0.0;
    if (phi <= 0.0) return bodyVelocity(c, axis, vec3(0.0))[axis];
    for (int n = 0; n < 6; ++n) {
        ivec3 way = n < 3 ? unit(n) : -unit(n - 3), neighbour = wrapped(c + way, sim.cells);
        neighbour = clamp(neighbour, ivec3(0), sim.cells - 1 + unit(axis));
        float there = far ? 1.0 : faceDistance(neighbour, axis);
        if (there > 0.0) {
            result += amount * (texelFetch(velocityIn, neighbour, 0)[axis] - u);
        } else {
            float near = nearness(phi, there);
            held += amount * near;
            wall += amount * near * bodyVelocity(neighbour, axis, (1.0 / near - 1.0) * vec3(way))[axis];
        }
    }
    return held > 0.0 ? (result + wall) / (1.0 + held) : result;
}
