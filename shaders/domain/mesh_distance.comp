#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/mesh_tree.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
layout(constant_id = 36) const bool kMeshesDeform = false;
// Signed distance [voxels] from a voxel's centre to a mesh, negative inside. Exact up to two voxels from the surface. Beyond, it is too
// small by at most 1/16 of the excess over two voxels: near the centre of a ball every triangle is about as near as the nearest, and an
// exact search would visit all of them. Inside is where the mean of the six counts of mesh_crossings.comp is nearer to 1 or -1 than to 0.
// With meshes that deform also the velocity [voxels/s] of the nearest point of the mesh.
layout(binding = 3, scalar) readonly buffer Crossings { int crossings[]; };
layout(binding = 4) uniform writeonly image3D distances;
layout(binding = 5, scalar) readonly buffer TrianglesBefore { MeshTriangle trianglesBefore[]; };
layout(binding = 6) uniform writeonly image3D velocities;
layout(push_constant, scalar) uniform Push { MeshPush push; };

float squaredTo(vec3 p, vec3 a, vec3 edge) {  // to the segment from a along `edge`
    vec3 d = p - a - clamp(dot(p - a, edge) / max(dot(edge, edge), 1e-30), 0.0, 1.0) * edge;
    return dot(d, d);
}

float squaredTo(vec3 p, MeshTriangle t) {
    vec3 ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c, n = cross(ab, -ca);
    float longest = max(dot(ab, ab), max(dot(bc, bc), dot(ca, ca)));
    // The normal of a needle thinner than 1e-4 of its length is noise. Only its edges count.
    bool above = dot(cross(n, ab), p - t.a) >= 0.0 && dot(cross(n, bc), p - t.b) >= 0.0 && dot(cross(n, ca), p - t.c) >= 0.0;
    if (above && dot(n, n) > 1e-8 * longest * longest) {
        float d = dot(n, p - t.a);
        return d * d / dot(n, n);
    }
    return min(squaredTo(p, t.a, ab), min(squaredTo(p, t.b, bc), squaredTo(p, t.c, ca)));
}

float squaredTo(vec3 p, MeshNode n) {
    vec3 d = max(max(n.low - p, p - n.high), vec3(0.0));
    return dot(d, d);
}

// The result for a distance d. Anything that is not nearer than the result need not be visited.
float lowered(float d) { return d - max(d - 2.0, 0.0) / 16.0; }

float distanceToMesh(vec3 p, out int nearest) {
    float best = 1e30, reach2 = 1e30;
    nearest = 0;
    int stack[kTreeDepth], top = 0;
    stack[top++] = 0;
    for (int visit = 0; visit < kMaxVisits && top > 0; ++visit) {
        MeshNode n = nodes[stack[--top]];
        if (squaredTo(p, n) >= reach2) continue;
        if (n.count == 0) {  // the nearer child is visited first
            vec2 d = vec2(squaredTo(p, nodes[n.first]), squaredTo(p, nodes[n.first + 1]));
            int nearer = d.y < d.x ? 1 : 0;
            if (d[1 - nearer] < reach2) stack[top++] = n.first + 1 - nearer;
            if (d[nearer] < reach2) stack[top++] = n.first + nearer;
        }
        for (int k = 0; k < n.count; ++k) {
            float d2 = squaredTo(p, triangles[n.first + k]);
            if (d2 < best) nearest = n.first + k;
            best = min(best, d2);
        }
        if (n.count > 0) {
            float reach = lowered(sqrt(best));
            reach2 = reach * reach;
        }
    }
    return lowered(sqrt(best));
}

// Barycentric coordinates of the point of a triangle nearest to p. Projections outside of the triangle move to the nearest edge.
vec3 nearestOn(MeshTriangle t, vec3 p) {
    vec3 ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c, n = cross(ab, -ca);
    vec3 inner = vec3(dot(cross(n, bc), p - t.b), dot(cross(n, ca), p - t.c), dot(cross(n, ab), p - t.a));
    float area2 = dot(n, n), longest = max(dot(ab, ab), max(dot(bc, bc), dot(ca, ca)));
    if (all(greaterThanEqual(inner, vec3(0.0))) && area2 > 1e-8 * longest * longest) return inner / area2;
    float d[3] = float[](squaredTo(p, t.a, ab), squaredTo(p, t.b, bc), squaredTo(p, t.c, ca));
    vec3 from = d[0] <= d[1] && d[0] <= d[2] ? vec3(1, 0, 0) : d[1] <= d[2] ? vec3(0, 1, 0) : vec3(0, 0, 1);
    vec3 to = from.zxy, start = t.a * from.x + t.b * from.y + t.c * from.z, edge = t.a * to.x + t.b * to.y + t.c * to.z - start;
    return mix(from, to, clamp(dot(p - start, edge) / max(dot(edge, edge), 1e-30), 0.0, 1.0));
}

vec3 velocityOf(int triangle, vec3 p) {
    MeshTriangle now = triangles[triangle], before = trianglesBefore[triangle];
    vec3 w = nearestOn(now, p);
    return push.rate * (w.x * (now.a - before.a) + w.y * (now.b - before.b) + w.z * (now.c - before.c));
}

void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID) + ivec3(0, 0, push.firstSlice);
    if (any(greaterThanEqual(c, push.size))) return;
    int voxels = push.size.x * push.size.y * push.size.z, i = (c.z * push.size.y + c.y) * push.size.x + c.x;
    int sum = crossings[i] + crossings[voxels + i] + crossings[2 * voxels + i];
    vec3 p = vec3(c) + 0.5;
    int nearest;
    float d = distanceToMesh(p, nearest);
    imageStore(distances, c + ivec3(0, 0, push.slice), vec4(abs(sum) > 3 ? -d : d));
    if (kMeshesDeform) imageStore(velocities, c + ivec3(0, 0, push.slice), vec4(velocityOf(nearest, p), 0.0));
}
