// SPDX-License-Identifier: MIT
// Lets sweeps stop on the device once the residual is small enough, without a read-back by the host.
layout(binding = 5, scalar) readonly buffer Residual { float residual[]; };  // sums: r^2, b^2 (see pressure_residual.comp)
layout(constant_id = 4) const bool kStops = true;  // a solve without a tolerance need not check: the check costs 4 % of a Jacobi sweep
bool converged(float tolerance) { return kStops && tolerance > 0.0 && residual[0] <= tolerance * tolerance * residual[1]; }
