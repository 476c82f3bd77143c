// SPDX-License-Identifier: MIT
// Walks along a ray through the bricks of the occupancy grid (Amanatides, Woo 1987). Each brick has an upper bound of the extinction.
// Needs shared/volume.glsl.
#include "shared/occupancy.glsl"

struct Walk {
    ivec3 brick, stride;  // stride: +-1
    vec3 next, width;     // distances at which the brick ends along each axis; distance between two such ends
    float t, end;         // current distance; distance at which the walk ends: `far` or the side of the box
};

Walk walkBricks(vec3 x, vec3 d, float far) {
    vec3 inverse = safeInverse(d), edge = brickEdge();
    vec2 span = smokeSpan(x, inverse);
    vec3 at = x + span.x * d - sim.origin;
    Walk w;
    w.brick = clamp(ivec3(floor(at / edge)), ivec3(0), (sim.scalarCells - 1) / WISP_BRICK);
    w.stride = ivec3(sign(inverse));
    w.next = (sim.origin + (vec3(w.brick) + vec3(greaterThan(w.stride, ivec3(0)))) * edge - x) * inverse;
    w.width = edge * abs(inverse);
    w.t = span.x;
    w.end = min(span.y, far);
    return w;
}

// [1/m]. Half storage may have truncated 2^-10 of a brick's density, or all of a density below 6e-8. Flames are seen at collisions, so
// there are some wherever it glows.
const float kFlameCollisions = 4.0;  // along an edge of a brick
float majorant(Walk w) {
    vec2 most = texelFetch(occupancy, w.brick, 0).xy;
    float sigma = view.extinction * (most.x * (1.0 + 1.0 / 512.0) + 6e-8);
    return isGlowing(most) && most.x > 0.0 ? max(sigma, kFlameCollisions / brickEdge().x) : sigma;
}

float brickEnd(Walk w) { return max(min(min(w.next.x, min(w.next.y, w.next.z)), w.end), w.t); }

// Bricks along each axis from this one to the end of the brick of a sparse simulation around it, if that is not listed: it is empty, with
// its border.
ivec3 emptyAhead(Walk w) {
    const int edge = WISP_BRICK_EDGE * kScalarRatio / WISP_BRICK;
    if (isStored(w.brick * WISP_BRICK / kScalarRatio)) return ivec3(0);
    ivec3 at = w.brick & (edge - 1);
    return mix(at, edge - 1 - at, greaterThan(w.stride, ivec3(0)));
}

// Moves to the last brick that the ray meets in such a brick.
void skipEmpty(inout Walk w) {
    ivec3 ahead = emptyAhead(w);
    vec3 end = w.next + vec3(ahead) * w.width;
    float t = min(end.x, min(end.y, end.z));
    ivec3 bricks = clamp(ivec3(ceil(min((vec3(t) - w.next) / w.width, vec3(ahead)))), ivec3(0), ahead);
    w.next += vec3(bricks) * w.width;
    w.brick += bricks * w.stride;
}

// Advances to the next brick; false at the end of the walk.
bool leaveBrick(inout Walk w) {
    if (kSparse && !kShutter) skipEmpty(w);
    float t = min(w.next.x, min(w.next.y, w.next.z));
    if (t >= w.end) return false;
    bvec3 across = lessThanEqual(w.next, vec3(t));
    w.next += mix(vec3(0.0), w.width, across);
    w.brick += mix(ivec3(0), w.stride, across);
    w.t = max(t, w.t);
    // The walk ends at the last side of the box, except for rounding.
    return all(greaterThanEqual(w.brick, ivec3(0))) && all(lessThanEqual(w.brick, (sim.scalarCells - 1) / WISP_BRICK));
}
