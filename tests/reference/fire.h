// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/fire.h"
#include "tests/reference/solids.h"

#include <array>
#include <functional>

/// Passes `react`, `measure_fire` and `measure_expansion`.
namespace wisp::reference {

struct Burnt {
    Field scalars, colours;
};
/// `aperture`: w of cells. `back`: displacements of cells. w of the velocity on faces: divergence that the flow of the step had. Only
/// scalar cells for which `isReached` is true change.
Burnt react(const Step& s, const gpu::FirePush& push, const Field& aperture, const Field& velocity, const Field& back, const Field& scalars,
            const Field& colours, const std::function<bool(ivec3)>& isReached);

/// Fuel and rate of burning [1/s] of gas with the density of the ambient air, number of cells whose fuel is not finite, greatest
/// temperature.
std::array<double, 4> measureFire(const Step& s, const gpu::FirePush& push, const Field& aperture, const Field& scalars);
/// Sum of outward velocities on the sides, sum of the divergences in w.
std::array<double, 2> measureExpansion(const Step& s, const Field& velocity, const Field& aperture);

}  // namespace wisp::reference
