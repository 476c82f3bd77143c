// SPDX-License-Identifier: MIT
// Limited interpolation of third order: a trilinear sample L and what a cubic (Lagrange) through four texels of each axis adds to it. With
// samples B and A in the planes of texels before and behind those of L that is t (1 - t) / 6 (3 L - (2 - t) B - (1 + t) A): seven samples
// instead
// of 64 texels, and without products of what axes add, which are of fourth order. Within the bounds of the texels of L, nothing overshoots.
layout(constant_id = 19) const bool kCubic = false;  // the scheme samples so
const float kCubicReach = 3.33;  // [cells]: the farthest texel is sqrt(6) away, a cut cell .87, see near_solid.glsl

vec4 bend(float t, vec4 L, vec4 before, vec4 behind) { return t * (1.0 - t) / 6.0 * (3.0 * L - (2.0 - t) * before - (1.0 + t) * behind); }
