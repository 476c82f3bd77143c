// SPDX-License-Identifier: MIT
// A cell after the first part of a sweep from zero, that of the first colour; w is the sum of its weights.
float started(PressureLevel l, ivec3 C, float b, float w, float omega) {
    return colourOf(l, kPeriodic, C) == 0 && w > 0.0 ? omega * b / w : 0.0;
}
