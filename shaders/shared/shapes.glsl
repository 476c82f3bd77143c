// SPDX-License-Identifier: MIT
// Signed distances [m], negative inside. Exact for sphere, box and capsule. Needs shared/grid.glsl.
#include "shared/sampling.glsl"
layout(binding = 14) uniform sampler3D meshDistances;   // [voxels] distance grids of all meshes, stacked along z
layout(binding = 27) uniform sampler3D meshVelocities;  // [voxels/s] velocity of the nearest point of the mesh, in the same grids
layout(constant_id = 6) const bool kHasMeshes = false;  // false: the compiler eliminates the code of meshes
layout(constant_id = 36) const bool kMeshesDeform = false;
float deformedFor = 0.0;  // [s] from the pose of the meshes in their grids to the moment that a picture shows

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec3 inBody(ShapeData s, vec3 d) { return rotate(vec4(-s.rotation.xyz, s.rotation.w), d); }  // in the axes of the body

// Texel of the grid of a mesh at the offset d from its middle. No sample reaches the next grid.
vec3 voxelOfMesh(ShapeData s, vec3 d, out vec3 beyond) {
    vec3 rim = s.halfExtent - (0.5 + 1.0 / 64.0) * s.radius, inside = clamp(d, -rim, rim);
    beyond = d - inside;
    return (inside + s.halfExtent) / s.radius + vec3(0.0, 0.0, s.slice);
}

// Velocity [m/s] of the point of a mesh's surface nearest to the offset d from the middle of its grid, both in the axes of the mesh.
vec3 velocityInMesh(ShapeData s, vec3 d) {
    vec3 beyond, texel = voxelOfMesh(s, d, beyond);
    return sampleLinear(meshVelocities, texel, 1.0 / vec3(textureSize(meshVelocities, 0))).xyz * s.radius;
}

// Trilinear in the grid of the mesh. Outside the grid it is a lower bound: the whole mesh lies in the box of the grid. At the nearest point
// of the box, the directions to the outside point and to any point of the mesh enclose at least 90 degrees.
float meshDistance(ShapeData s, vec3 d) {
    if (kMeshesDeform && deformedFor != 0.0) d -= deformedFor * velocityInMesh(s, d);
    vec3 beyond, texel = voxelOfMesh(s, d, beyond);
    float phi = sampleLinear(meshDistances, texel, 1.0 / vec3(textureSize(meshDistances, 0))).x * s.radius;
    float away2 = dot(beyond, beyond);
    return away2 == 0.0 ? phi : sqrt(away2 + max(phi, 0.0) * max(phi, 0.0));
}


// Velocity [m/s] by which a body deforms at the offset d from its centre; 0 of a body that is no mesh.
vec3 deformation(ShapeData s, vec3 d) {
    if (!kMeshesDeform || s.kind != WISP_MESH) return vec3(0.0);
    return rotate(s.rotation, velocityInMesh(s, inBody(s, d)));
}

// The same for a flux through the surface, phi [m] inside or outside of it. The velocity of the nearest point has the divergence D of the
// surface, by which the flux would change on the way. With -phi D n it is free of divergence near the surface. D of a rigid motion is 0.
vec3 deformationFlux(ShapeData s, vec3 d, float phi) {
    if (!kMeshesDeform || s.kind != WISP_MESH) return vec3(0.0);
    d = inBody(s, d);
    vec3 v = velocityInMesh(s, d), gradient;
    float divergence = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 voxel = s.radius * vec3(unit(axis));
        divergence += velocityInMesh(s, d + voxel)[axis] - velocityInMesh(s, d - voxel)[axis];
        gradient[axis] = meshDistance(s, d + voxel) - meshDistance(s, d - voxel);
    }
    float most = length(v);  // in a thin body the nearest point jumps from one side to the other
    float along = clamp(-phi * divergence / (2.0 * s.radius), -most, most);
    return rotate(s.rotation, v + along * gradient / max(length(gradient), 1e-6 * s.radius));
}

// Distance to a body from the point at the offset d from its centre, in the axes of the body.
float distanceInAxes(ShapeData s, vec3 d) {
    if (kHasMeshes && s.kind == WISP_MESH) return meshDistance(s, d);
    if (s.kind == WISP_BOX) {
        vec3 q = abs(d) - s.halfExtent;
        return length(max(q, vec3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    }
    float t = clamp(dot(d, s.halfExtent) / max(dot(s.halfExtent, s.halfExtent), 1e-20), -1.0, 1.0);
    return length(d - t * s.halfExtent) - s.radius;
}
float bodyDistance(ShapeData s, vec3 d) { return s.kind == WISP_SPHERE ? length(d) - s.radius : distanceInAxes(s, inBody(s, d)); }

// Along periodic axes there is an image of a body in every period. Converts d, the offset from a body's centre, to the offset from image n:
// the nearest image along each axis, or the next nearest where a bit of n is set. More images are not needed, because no body is longer
// than a period (see validate).
bool isImage(int n) { return (n & ~kPeriodic) == 0; }
vec3 fromImage(vec3 d, int n) {
    vec3 period = vec3(sim.cells) * sim.h, near = d - period * round(d / period);
    vec3 next = near - mix(-period, period, greaterThan(near, vec3(0.0)));
    bvec3 isNext = bvec3((n & 1) != 0, (n & 2) != 0, (n & 4) != 0);
    return kPeriodic == 0 ? d : mix(d, mix(near, next, isNext), periodicAxes());
}

// Radius of a bounding ball around the centre of a body.
float boundOf(ShapeData s) { return length(s.halfExtent) + s.radius; }

float signedDistance(ShapeData s, vec3 x) {
    float phi = bodyDistance(s, fromImage(x - s.centre, 0));
    for (int n = 1; n <= kPeriodic; ++n) {
        vec3 d = fromImage(x - s.centre, n);
        if (isImage(n) && length(d) - boundOf(s) < phi) phi = min(phi, bodyDistance(s, d));
    }
    return phi;
}

// Distance to the layer of half thickness `shell` [m] on the surface of a shape; to the shape itself if that is 0.
float layerDistance(ShapeData s, float shell, vec3 x) {
    float phi = signedDistance(s, x);
    return shell > 0.0 ? abs(phi) - shell : phi;
}
