// SPDX-License-Identifier: MIT
// Share of the light of flames in a cell of the optical depth tau that is interpolated linearly, which keeps the sum of the light of single
// bright cells. The rest is in the sources, where cells without smoke have no weight: with all of it apart, the centre of a dark cell
// beside the flames would get (1 - exp(-tau)) / tau of their light, but only exp(-tau / 2) is left half a cell from their side. The share
// is the ratio of both.
float linearShare(float tau) {
    float x = 0.5 * min(tau, 20.0);  // halves hold the product with the light
    return x > 0.01 ? x / sinh(x) : 1.0;
}
