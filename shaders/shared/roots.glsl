// SPDX-License-Identifier: MIT
// Scattered light is stored as square roots: in dense smoke it falls off by a factor a cell, and linear between cells it would reach too
// far.
// Fourth roots, which transmittances have, are worse here: sweeps with Chebyshev's acceleration no longer converge.
vec3 toRoot(vec3 L) { return sqrt(L); }
vec3 fromRoot(vec3 root) { return root * root; }
