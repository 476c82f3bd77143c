// SPDX-License-Identifier: MIT
// Signed distances [m], negative inside. Exact for sphere, box and capsule. Needs shared/step.h.
#include "shared/sampling.glsl"
layout(binding = 14) uniform sampler3D meshDistances;   // [voxels] of all meshes' grids, one behind the other along z
layout(constant_id = 6) const bool kHasMeshes = false;  // without any their code is left out

// Trilinear in the mesh's grid. Beyond it a lower bound: all that is of the mesh lies in the grid's box, and is seen from
// outside at an angle of at least 90 degrees at the nearest point of the box.
float meshDistance(ShapeData s, vec3 d) {
    vec3 rim = s.halfExtent - (0.5 + 1.0 / 64.0) * s.radius;  // no sample reaches the next grid
    vec3 inside = clamp(d, -rim, rim), beyond = d - inside;
    vec3 texel = (inside + s.halfExtent) / s.radius + vec3(0.0, 0.0, s.slice);
    float phi = sampleLinear(meshDistances, texel, 1.0 / vec3(textureSize(meshDistances, 0))).x * s.radius;
    float away2 = dot(beyond, beyond);
    return away2 == 0.0 ? phi : sqrt(away2 + max(phi, 0.0) * max(phi, 0.0));
}

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

float signedDistance(ShapeData s, vec3 x) {
    vec3 d = x - s.centre;
    if (s.kind == WISP_SPHERE) return length(d) - s.radius;
    d = rotate(vec4(-s.rotation.xyz, s.rotation.w), d);
    if (kHasMeshes && s.kind == WISP_MESH) return meshDistance(s, d);
    if (s.kind == WISP_BOX) {
        vec3 q = abs(d) - s.halfExtent;
        return length(max(q, vec3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    }
    float t = clamp(dot(d, s.halfExtent) / max(dot(s.halfExtent, s.halfExtent), 1e-20), -1.0, 1.0);
    return length(d - t * s.halfExtent) - s.radius;
}
