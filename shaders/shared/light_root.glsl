// SPDX-License-Identifier: MIT
// A light volume stores the root T^(1/p) of a transmittance. p is 4; closer to a point or a spot than 4 edges of a cell, p is the distance
// in edges. In uniform smoke the root is then the same in all cells around the lamp: interpolated, it is exact, where T itself has a cusp.
// Needs shared/light_window.glsl.
float rootAt(float distance) { return min(distance / lightEdge(), 4.0); }  // p
float throughFromRoot(float root, float distance) {
    if (!kNearLamps) return root * root * (root * root);
    return root > 0.0 ? exp2(rootAt(distance) * log2(root)) : 0.0;
}
