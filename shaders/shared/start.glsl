// SPDX-License-Identifier: MIT
// A cell after the red half of a sweep from zero; w is the sum of its weights.
float started(ivec3 C, float b, float w, float omega) {
    return ((C.x + C.y + C.z) & 1) == 0 && w > 0.0 ? omega * b / w : 0.0;
}
