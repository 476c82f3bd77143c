// SPDX-License-Identifier: MIT
// Limited interpolation of third order: a trilinear sample L, plus the difference to a cubic (Lagrange) through four texels along each
// axis. With samples B and A in the planes of texels before and behind those of L, the difference is t (1 - t) / 6 (3 L - (2 - t)
// B - (1 + t) A). This takes seven samples instead of 64 texels. It omits the products of the differences of two axes, which are of fourth
// order. The result is clamped to the bounds of the texels of L, so it does not overshoot.
layout(constant_id = 19) const bool kCubic = false;  // the advection scheme uses this interpolation
const float kCubicReach = 3.33;  // [cells]: the farthest texel is sqrt(6) away, the surface in a cut cell 0.87, see near_solid.glsl

vec4 bend(float t, vec4 L, vec4 before, vec4 behind) { return t * (1.0 - t) / 6.0 * (3.0 * L - (2.0 - t) * before - (1.0 + t) * behind); }
