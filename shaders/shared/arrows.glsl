// SPDX-License-Identifier: MIT
// Arrows over a picture: a shaft and two barbs each, their middles on a lattice of cells, one in each. All edges are a pixel wide.

// The arrow with this middle, from its tail to its tip [pixels]; of less than a pixel: none. Includers say it.
vec2 arrowAround(vec2 middle);

float segmentDistance(vec2 p, vec2 a, vec2 b) {
    vec2 d = b - a;
    return length(p - a - clamp(dot(p - a, d) / max(dot(d, d), 1e-12), 0.0, 1.0) * d);
}

float arrowDistance(vec2 at, vec2 middle, vec2 spacing) {
    vec2 v = arrowAround(middle);
    float pixels = length(v);
    if (pixels < 1.0) return 1e3;
    v *= min(1.0, 2.8 * min(spacing.x, spacing.y) / pixels);  // no further than the neighbours whose pixels look for it
    vec2 tip = middle + 0.5 * v, side = 0.15 * vec2(-v.y, v.x), back = tip - 0.3 * v;
    return min(segmentDistance(at, middle - 0.5 * v, tip),
        min(segmentDistance(at, tip, back + side), segmentDistance(at, tip, back - side)));
}

// How much of a pixel the rim of arrows covers, then how much of that and the rest their lines do. `low`: where a cell of the lattice
// begins [pixels]; `pen`: half the width of lines [pixels].
vec2 arrowCover(vec2 at, vec2 low, vec2 spacing, float pen) {
    vec2 n = floor((at - low) / spacing);
    float d = 1e3;
    for (int k = 0; k < 9; ++k) d = min(d, arrowDistance(at, low + (n + vec2(k % 3 - 1, k / 3 - 1) + 0.5) * spacing, spacing));
    return clamp(vec2(2.0 * pen, pen) + 0.5 - d, 0.0, 1.0) * vec2(0.6, 1.0);
}
