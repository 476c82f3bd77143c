// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl, shared/transmittance.glsl.
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

// Share of light n that reaches x through the smoke, with steps of `stepLength`; 0 in a shadow.
float lit(int n, vec3 x, float stepLength) {
    float share = shown(n, x);
    return share == 0.0 ? 0.0 : share * transmittance(x, towardsLight(n, x), lightDistance(n, x), stepLength);
}
