// SPDX-License-Identifier: MIT
// Which faces have a velocity of the liquid. The word of a texel has one byte per axis: the layer of extrapolation in which the face became
// known, 0 for the liquid's own faces. Needs shared/liquid/liquid.h.
uint layerOf(uint known, int axis) { return known >> (8 * axis) & 255u; }
uint layerBits(uint layer, int axis) { return layer << (8 * axis); }
