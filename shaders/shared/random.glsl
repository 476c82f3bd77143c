// SPDX-License-Identifier: MIT
// Random numbers by counting: number `draw` of sample `key.y` of pixel `key.x` is a hash of them and of the seed, in integers
// alone, hence the same bits on every device and in any order. PCG in four dimensions (Jarzynski, Olano 2020).
uvec4 hash4(uvec4 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.w; v.y += v.z * v.x; v.z += v.x * v.y; v.w += v.y * v.z;
    v ^= v >> 16u;
    v.x += v.y * v.w; v.y += v.z * v.x; v.z += v.x * v.y; v.w += v.y * v.z;
    return v;
}

struct Random {
    uvec3 key;  // pixel, sample, seed
    uint draw;  // how many were taken
};

uvec4 bits4(inout Random random) { return hash4(uvec4(random.key, random.draw++)); }

// Four numbers in [0, 1), multiples of 2^-24.
vec4 unitNumbers(uvec4 bits) { return vec4(bits >> 8u) * (1.0 / 16777216.0); }
vec4 uniform4(inout Random random) { return unitNumbers(bits4(random)); }
