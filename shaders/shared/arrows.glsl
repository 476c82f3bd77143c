// SPDX-License-Identifier: MIT
// Draws arrows over an image. Each arrow has a shaft and two barbs, and is centred in a cell of a lattice. Edges are anti-aliased over one
// pixel.

// The arrow with this centre, as the vector from its tail to its tip [pixels]. Arrows shorter than one pixel are not drawn. The including
// file defines this function.
vec2 arrowAround(vec2 middle);

float segmentDistance(vec2 p, vec2 a, vec2 b) {
    vec2 d = b - a;
    return length(p - a - clamp(dot(p - a, d) / max(dot(d, d), 1e-12), 0.0, 1.0) * d);
}

float arrowDistance(vec2 at, vec2 middle, vec2 spacing) {
    vec2 v = arrowAround(middle);
    float pixels = length(v);
    if (pixels < 1.0) return 1e3;
    v *= min(1.0, 2.8 * min(spacing.x, spacing.y) / pixels);  // keeps the arrow within the 3x3 lattice cells that arrowCover visits
    vec2 tip = middle + 0.5 * v, side = 0.15 * vec2(-v.y, v.x), back = tip - 0.3 * v;
    return min(segmentDistance(at, middle - 0.5 * v, tip),
        min(segmentDistance(at, tip, back + side), segmentDistance(at, tip, back - side)));
}

// Opacity of the outline of arrows in the pixel (x), then of the lines drawn over it (y). `low`: low corner of a lattice cell [pixels];
// `pen`: half the line width [pixels].
vec2 arrowCover(vec2 at, vec2 low, vec2 spacing, float pen) {
    vec2 n = floor((at - low) / spacing);
    float d = 1e3;
    for (int k = 0; k < 9; ++k) d = min(d, arrowDistance(at, low + (n + vec2(k % 3 - 1, k / 3 - 1) + 0.5) * spacing, spacing));
    return clamp(vec2(2.0 * pen, pen) + 0.5 - d, 0.0, 1.0) * vec2(0.6, 1.0);
}
