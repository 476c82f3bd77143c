// SPDX-License-Identifier: MIT
// Lets sweeps stop by themselves once the residual is small enough, without the host looking.
layout(binding = 5, scalar) readonly buffer Residual { float residual[]; };  // sums: r^2, b^2 (see pressure_residual.comp)
layout(constant_id = 4) const bool kStops = true;  // a solve without a tolerance has no need to look: 4 % of a Jacobi sweep
bool converged(float tolerance) { return kStops && tolerance > 0.0 && residual[0] <= tolerance * tolerance * residual[1]; }
