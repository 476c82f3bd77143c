// SPDX-License-Identifier: MIT
// Converts linear light to sRGB and to words for the display.
vec3 srgb(vec3 c) {  // IEC 61966-2-1
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

uint displayWord(uvec3 bytes) { return bytes.x | bytes.y << 8 | bytes.z << 16 | 0xff000000u; }
