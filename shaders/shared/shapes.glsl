// SPDX-License-Identifier: MIT
// Signed distances [m], negative inside. Exact for sphere, box and capsule. Needs shared/step.h.
vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

float signedDistance(ShapeData s, vec3 x) {
    vec3 d = x - s.centre;
    if (s.kind == WISP_SPHERE) return length(d) - s.radius;
    d = rotate(vec4(-s.rotation.xyz, s.rotation.w), d);
    if (s.kind == WISP_BOX) {
        vec3 q = abs(d) - s.halfExtent;
        return length(max(q, vec3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    }
    float t = clamp(dot(d, s.halfExtent) / max(dot(s.halfExtent, s.halfExtent), 1e-20), -1.0, 1.0);
    return length(d - t * s.halfExtent) - s.radius;
}
