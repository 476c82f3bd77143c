// SPDX-License-Identifier: MIT
// Lets sweeps stop by themselves once the residual is small enough, without the host looking.
layout(binding = 5, scalar) readonly buffer Residual { float residual[]; };  // sums: r^2, b^2 (see pressure_residual.comp)
bool converged(float tolerance) { return tolerance > 0.0 && residual[0] <= tolerance * tolerance * residual[1]; }
