// SPDX-License-Identifier: MIT
// Which faces have a velocity of the liquid: a byte an axis of a texel's word, the layer of extrapolation in which it became known, 0 where
// it is the liquid's own. Needs shared/liquid/liquid.h.
uint layerOf(uint known, int axis) { return known >> (8 * axis) & 255u; }
uint layerBits(uint layer, int axis) { return layer << (8 * axis); }
