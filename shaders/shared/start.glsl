// SPDX-License-Identifier: MIT
// A cell after the first half of a sweep from zero, which updates the first colour. w: sum of the cell's weights.
float started(PressureLevel l, ivec3 C, float b, float w, float omega) {
    return colourOf(l, kPeriodic, C) == 0 && w > 0.0 ? omega * b / w : 0.0;
}
