#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/mesh_tree.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// For each voxel and axis: how often a line to the voxel's centre enters the surface, minus how often it leaves it, added for the lines
// from below and from above. One invocation per line of voxels. The result is 1 + 1 inside a closed surface and 0 + 0 outside. The mean
// over all directions is the generalised winding number (Jacobson, Kavan, Sorkine-Hornung 2013), here over six directions.
layout(binding = 3, scalar) buffer Crossings { int crossings[]; };
layout(push_constant, scalar) uniform Push { MeshPush push; };

// Whether p is left of the line from a to b. The ends of the line are put in order first, so that both triangles of an edge get the same
// answer. A point on the ordered line counts as left, which shifts p by an infinitesimal (-e^2, e).
bool leftOf(vec2 a, vec2 b, vec2 p) {
    bool swapped = a.x > b.x || (a.x == b.x && a.y > b.y);
    vec2 from = swapped ? b : a, to = swapped ? a : b;
    bool left = (to.x - from.x) * (p.y - from.y) >= (to.y - from.y) * (p.x - from.x);
    return left != swapped;
}

// +1 if a line along axes.z through p enters through the triangle, -1 if it leaves, 0 if it misses.
int crossing(MeshTriangle t, vec2 p, ivec3 axes, out float height) {
    vec2 a = vec2(t.a[axes.x], t.a[axes.y]), b = vec2(t.b[axes.x], t.b[axes.y]), c = vec2(t.c[axes.x], t.c[axes.y]);
    vec2 ab = b - a, ac = c - a;
    float area = ab.x * ac.y - ab.y * ac.x;
    bool left = leftOf(a, b, p);
    if (area == 0.0 || leftOf(b, c, p) != left || leftOf(c, a, p) != left) return 0;
    float v = ((p.x - a.x) * ac.y - (p.y - a.y) * ac.x) / area, w = (ab.x * (p.y - a.y) - ab.y * (p.x - a.x)) / area;
    float x = t.a[axes.z], y = t.b[axes.z], z = t.c[axes.z];
    height = clamp(x + v * (y - x) + w * (z - x), min(x, min(y, z)), max(x, max(y, z)));
    return left ? -1 : 1;
}

bool onLine(MeshNode n, vec2 p, ivec3 axes) {
    return p.x >= n.low[axes.x] && p.x <= n.high[axes.x] && p.y >= n.low[axes.y] && p.y <= n.high[axes.y];
}

void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID);
    ivec3 axes = ivec3(c.z + 1, c.z + 2, c.z) % 3;
    if (c.x >= push.size[axes.x] || c.y >= push.size[axes.y]) return;
    ivec3 stride = ivec3(1, push.size.x, push.size.x * push.size.y);
    int first = c.z * stride.z * push.size.z + c.x * stride[axes.x] + c.y * stride[axes.y];
    int step = stride[axes.z], count = push.size[axes.z];
    for (int k = 0; k < count; ++k) crossings[first + k * step] = 0;

    vec2 p = vec2(c.xy) + 0.5;
    int stack[kTreeDepth], top = 0, total = 0;
    stack[top++] = 0;
    for (int visit = 0; visit < kMaxVisits && top > 0; ++visit) {
        MeshNode n = nodes[stack[--top]];
        if (!onLine(n, p, axes)) continue;
        if (n.count == 0) {
            stack[top++] = n.first;
            stack[top++] = n.first + 1;
        }
        for (int k = 0; k < n.count; ++k) {
            float height;
            int way = crossing(triangles[n.first + k], p, axes, height);
            if (way == 0) continue;
            int voxel = max(int(ceil(height - 0.5)), 0);  // the first voxel whose centre is past the crossing
            if (voxel < count) crossings[first + voxel * step] += way;
            total += way;
        }
    }
    int below = 0;
    for (int k = 0; k < count; ++k) {
        below += crossings[first + k * step];
        crossings[first + k * step] = below + (below - total);  // from above, entering and leaving are swapped
    }
}
