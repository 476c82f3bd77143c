// SPDX-License-Identifier: MIT
// Scattered light is stored as square roots. In dense smoke it falls off by a constant factor per cell, and with linear interpolation
// between cells it would reach too far. Fourth roots, which transmittances use, are worse here: sweeps with Chebyshev acceleration no
// longer converge.
vec3 toRoot(vec3 L) { return sqrt(L); }
vec3 fromRoot(vec3 root) { return root * root; }
