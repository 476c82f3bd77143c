// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/inflow.h"
#include "shaders/shared/prescribed.h"
#include "tests/reference/measure.h"
#include "tests/reference/solids.h"

/// Passes with a prescribed velocity.
namespace wisp::reference {

/// Velocity [m/s] at p [cells].
dvec3 prescribedVelocity(const Step& s, const gpu::PrescribedData& field, dvec3 p);
Field prescribe(const Step& s, const gpu::PrescribedData& field);
Field upwind(const Step& s, const gpu::PrescribedData& field, const Field& scalars, dvec4 keep, double dt, const gpu::InflowPush& inflow);
/// `departures` [cells]: departure point of each scalar cell. `parts`: number of time steps. With `parts` = 0 the result is the cell
/// centres.
Field departurePoints(const Step& s, const gpu::PrescribedData& field, const Field& departures, double dt, int parts);
Field exactAmbient(const Step& s, const Field& departures, const gpu::InflowPush& inflow);
Measures measureError(const Field& scalars, const Field& exact, double greatest);

}  // namespace wisp::reference
