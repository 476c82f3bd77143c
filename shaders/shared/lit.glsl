// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl, shared/transmittance.glsl.
// Share of a disc on the far side of a straight line, which is `cover` of the diameter from its rim.
float discShare(float cover) {
    float c = clamp(1.0 - 2.0 * cover, -1.0, 1.0);
    return (acos(c) - c * sqrt(1.0 - c * c)) / kPi;
}

// Share of light n that obstacles and the ground leave at x. Of a light with an extent the edge of an obstacle, taken for straight, hides a
// part.
float shown(int n, vec3 x) {
    int hit;
    Edge edge;
    surfaceEdge(x, towardsLight(n, x), lightDistance(n, x), lightWidth(n, x), hit, edge);
    return hit >= 0 ? 0.0 : 1.0 - discShare(edge.cover);
}

// Share of light n that reaches x through the smoke, in steps of `stepLength`; 0 in a shadow.
float lit(int n, vec3 x, float stepLength) {
    float share = shown(n, x);
    return share == 0.0 ? 0.0 : share * transmittance(x, towardsLight(n, x), lightDistance(n, x), stepLength);
}
