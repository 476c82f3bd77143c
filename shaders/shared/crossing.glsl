// SPDX-License-Identifier: MIT
// Whether a segment passes through a body: enters on one side and leaves on the opposite one. Points are offsets from the body's centre in
// its axes [m]. Needs shared/shapes.glsl.

// Distance at which a point counts as on the surface [m]. A surface within a voxel cell of a mesh is at most half its diagonal from a
// voxel, so even a mesh thinner than a voxel has points at this distance on both sides.
float touching(ShapeData s) { return kHasMeshes && s.kind == WISP_MESH ? 0.87 * s.radius : sim.h / 64.0; }

// Away from the body, at a point on its surface or in it; not normalized. Of a box: out of the nearest face, of two as near ones that on
// the positive side.
vec3 outward(ShapeData s, vec3 d) {
    if (kHasMeshes && s.kind == WISP_MESH) {
        // Two voxels apart: nearer ones may both be in a voxel cell that a thin body crosses, where the distance has no slope.
        vec3 slope;
        for (int axis = 0; axis < noUnroll(3); ++axis) {
            vec3 voxel = s.radius * vec3(unit(axis));
            slope[axis] = meshDistance(s, d + voxel) - meshDistance(s, d - voxel);
        }
        return slope;
    }
    if (s.kind == WISP_BOX) {
        vec3 q = abs(d) - s.halfExtent;
        vec3 face = q.x >= max(q.y, q.z) ? vec3(1.0, 0.0, 0.0) : q.y >= q.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
        return dot(face, d) < 0.0 ? -face : face;
    }
    return d - clamp(dot(d, s.halfExtent) / max(dot(s.halfExtent, s.halfExtent), 1e-20), -1.0, 1.0) * s.halfExtent;
}

// Share of the segment from a to b at its first point on the surface or in the body; 2: there is none. Sphere tracing (Hart 1996): every
// step is longer than `touching`, and none passes the surface.
float firstTouch(ShapeData s, vec3 a, vec3 b) {
    float whole = length(b - a), close = touching(s), t = 0.0;
    for (int n = 0; n < noUnroll(1024) && t <= whole; ++n) {
        float phi = distanceInAxes(s, mix(a, b, t / max(whole, 1e-20)));
        if (phi <= close) return t / max(whole, 1e-20);
        t += phi;
    }
    return 2.0;
}

bool passesThrough(ShapeData s, vec3 a, vec3 b) {
    if (s.kind == WISP_BOX) {  // both before the same face: no tracing
        vec3 close = s.halfExtent + touching(s);
        if (any(greaterThan(min(a, b), close)) || any(lessThan(max(a, b), -close))) return false;
    }
    float entry = firstTouch(s, a, b);
    if (entry > 1.0) return false;
    vec3 way = b - a, enters = outward(s, mix(a, b, entry)), leaves = outward(s, mix(b, a, firstTouch(s, b, a)));
    return dot(enters, leaves) < 0.0 && dot(enters, way) < 0.0 && dot(leaves, way) > 0.0;
}
