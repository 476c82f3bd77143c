// SPDX-License-Identifier: MIT
// Counter-based random numbers: number `draw` of sample `key.y` of pixel `key.x` is a hash of these numbers and the seed. It uses only
// integers, so the bits are the same on every device and in any order. PCG in four dimensions (Jarzynski, Olano 2020).
uvec4 hash4(uvec4 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.w; v.y += v.z * v.x; v.z += v.x * v.y; v.w += v.y * v.z;
    v ^= v >> 16u;
    v.x += v.y * v.w; v.y += v.z * v.x; v.z += v.x * v.y; v.w += v.y * v.z;
    return v;
}

struct Random {
    uvec3 key;  // pixel, sample, seed
    uint draw;  // number of draws so far
};

uvec4 bits4(inout Random random) { return hash4(uvec4(random.key, random.draw++)); }

// Four numbers in [0, 1), multiples of 2^-24.
vec4 unitNumbers(uvec4 bits) { return vec4(bits >> 8u) * (1.0 / 16777216.0); }
vec4 uniform4(inout Random random) { return unitNumbers(bits4(random)); }
