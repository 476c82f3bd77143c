// SPDX-License-Identifier: MIT
// Coefficients of a conjugate gradient iteration, from the sums of cg_apply.comp: p.w, p.r, r.w, w.w, with w = A p.
layout(binding = 8, scalar) readonly buffer Products { float products[]; };

float ratio(float a, float b) { return b > 0.0 ? a / b : 0.0; }

// Whether the step p.r / p.w would increase |r|. This happens if a system has no solution (a closed pocket of fluid with a net flux into
// it).
bool overshoots() {
    float alpha = ratio(products[1], products[0]);
    return alpha * products[3] > 2.0 * products[2];
}

// alpha of q += alpha p. If the usual alpha overshoots, the alpha that minimises |r|.
float stepLength() { return overshoots() ? ratio(products[2], products[3]) : ratio(products[1], products[0]); }
