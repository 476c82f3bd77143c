// SPDX-License-Identifier: MIT
// Integer hash and smooth vector noise with zero mean and unit rms per component; bit-identical on every device.

// PCG in three dimensions (Jarzynski, Olano 2020, "Hash functions for GPU rendering").
uvec3 hash3(uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    return v;
}

vec3 latticeValue(ivec3 i, int seed) {  // uniform in [-1, 1]
    return vec3(hash3(uvec3(i + seed * 7919)) >> 8u) * (2.0 / 16777215.0) - 1.0;
}

vec3 smoothNoise(vec3 x, ivec3 origin, int seed) {  // at origin + x
    ivec3 i = origin + ivec3(clamp(floor(x), vec3(-1e9), vec3(1e9)));  // beyond this range floats have no fraction
    vec3 f = x - floor(x);
    f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    vec3 sum = vec3(0.0);
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        vec3 w = mix(vec3(1.0) - f, f, vec3(o));
        sum += w.x * w.y * w.z * latticeValue(i + o, seed);
    }
    return 2.4973 * sum;  // sqrt(3 / (181/231)^3): 1 / rms of quintic interpolation of values uniform in [-1, 1]
}
