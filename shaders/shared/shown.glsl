// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl.
#ifndef WISP_SHOWN_GLSL
#define WISP_SHOWN_GLSL
// Covered share of the area of a disc, if a straight edge covers `cover` of its diameter.
float discShare(float cover) {
    float c = clamp(1.0 - 2.0 * cover, -1.0, 1.0);
    return (acos(c) - c * sqrt(1.0 - c * c)) / kPi;
}

// Share of light n that obstacles and the ground let through to x. The edge of an obstacle hides a part of a light with an extent. The edge
// is taken as straight.
float shown(int n, vec3 x) {
    int hit;
    Edge edge;
    surfaceEdge(x, towardsLight(n, x), lightDistance(n, x), lightWidth(n, x), hit, edge);
    return hit >= 0 ? 0.0 : 1.0 - discShare(edge.cover);
}
#endif
