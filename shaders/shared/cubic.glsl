// SPDX-License-Identifier: MIT
// Limited interpolation of third order at a continuous texel coordinate of a field of `size`: trilinear, less a correction along each axis by the
// second differences there. But for products of corrections, which are of fourth order, that is tricubic (Lagrange), by 32 texels instead of
// 64, or 12 of 16 in flat grids. It stays within the bounds of the texels that a trilinear sample is made of, so that nothing overshoots.
// Needs shared/grid.glsl.
layout(constant_id = 19) const bool kCubic = false;  // the scheme samples so
const float kCubicReach = 3.33;  // [cells]: the farthest texel is sqrt(6) away, a cut cell .87, see near_solid.glsl

vec4 sampleCubic(sampler3D field, vec3 texel, ivec3 size) {
    vec3 t = texel - 0.5;
    ivec3 base = ivec3(floor(t));
    vec3 f = t - vec3(base), k = f * (1.0 - f) / 6.0;
    vec4 sum = vec4(0.0), low = vec4(1e30), high = vec4(-1e30);
    for (int n = 0; n < kCorners; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        vec3 w = mix(1.0 - f, f, vec3(o)), q = mix(2.0 - f, 1.0 + f, vec3(o)), share = k * q * w.yzx * w.zxy;
        vec4 v = texelFetch(field, inGrid(base + o, size), 0);
        low = min(low, v);
        high = max(high, v);
        sum += (w.x * w.y * w.z + dot(3.0 * share, 1.0 - 1.0 / q)) * v;
        for (int axis = 0; axis < kAxes; ++axis) sum -= share[axis] * texelFetch(field, inGrid(base + o + (2 * o[axis] - 1) * unit(axis), size), 0);
    }
    return clamp(sum, low, high);
}
