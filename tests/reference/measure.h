// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

#include <array>

/// Passes that reduce a grid to a record of eight numbers: six sums and two maxima.
namespace wisp::reference {

using Measures = std::array<double, 8>;

/// 0: div^2, 1: count; 6: |div|. Over coarse cells with weight.
Measures measureCoarse(const Step& s, const Field& velocity, const Field& aperture, const Field& weights);
/// 0: div^2, 1: count, 2: |u|^2 / 2, 3: number of texels that are not finite; 6: |div|, 7: |u|. Over fine fluid cells.
Measures measureFine(const Step& s, const Field& velocity, const Field& aperture, const Field& after);
/// 0: density outside solids, 1: density inside; 2, 3: number of cells whose density or temperature is not finite.
Measures measureScalars(const Step& s, const Field& scalars, const Field& aperture);

/// Passes `measure_momentum` (0 to 2: a u, 3 to 5: what leaves through sides) and `measure_acceleration` (0 to 2: open areas times a).
Measures measureMomentum(const Step& s, const Field& velocity, const Field& aperture);
Measures measureAcceleration(const Step& s, const Field& acceleration, const Field& aperture);

/// Pass `body_pressure`: force and torque. `q`: of pressure cells. `potential`: of fine cells, read with ratio 2 and 4.
Measures bodyPressure(const Step& s, const Field& aperture, const Numbers& q, const Numbers& potential, int body, double factor);
/// Pass `body_friction`: force and torque. `distance`: from cell centres to obstacles [cells].
Measures bodyFriction(const Step& s, const Field& distance, const Field& velocity, int body, double factor, double amount);

}  // namespace wisp::reference
