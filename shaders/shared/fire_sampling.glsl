// SPDX-License-Identifier: MIT
// Flames as lights of path mode: draws points in bricks of the occupancy grid, in proportion to the light that a brick sends out. Needs
// shared/occupancy.glsl.
layout(binding = 8, scalar) readonly buffer FireTable { float fireTable[]; };  // running sums over the bricks, see fire_table.comp
// A direction finds all flames along its ray. Compared with points it counts as the points of this length, in bricks. Any number is right.
const float kFireDepth = 4.0;

int brickTotal() { return view.bricks.x * view.bricks.y * view.bricks.z; }
float fireTotal() { return fireTable[brickTotal() - 1]; }

// Probability density at y of the points that are drawn [1/m^3].
float fireDensity(vec3 y) {
    vec3 edge = brickEdge();
    ivec3 brick = ivec3(floor((y - sim.origin) / edge));
    if (outside(brick, view.bricks)) return 0.0;
    int n = int(cellIndex(brick, view.bricks));
    return (fireTable[n] - (n > 0 ? fireTable[n - 1] : 0.0)) / (max(fireTotal(), 1e-30) * edge.x * edge.y * edge.z);
}

vec3 drawFlame(vec4 u) {
    float wanted = u.x * fireTotal();
    int low = 0, high = brickTotal() - 1;  // the first brick whose running sum is above
    while (low < high) {
        int middle = (low + high) / 2;
        if (fireTable[middle] > wanted) high = middle;
        else low = middle + 1;
    }
    ivec3 brick = ivec3(low % view.bricks.x, low / view.bricks.x % view.bricks.y, low / (view.bricks.x * view.bricks.y));
    return sim.origin + (vec3(brick) + u.yzw) * brickEdge();
}

// Balance heuristic (Veach, Guibas 1995): the weight of a flame at y that a direction drawn with `density` [1/sr] finds at the distance r.
float directionShare(float density, vec3 y, float r) {
    return density / max(density + fireDensity(y) * r * r * kFireDepth * brickEdge().x, 1e-30);
}
