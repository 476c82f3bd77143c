// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/inflow.h"
#include "shaders/shared/prescribed.h"
#include "tests/reference/measure.h"
#include "tests/reference/solids.h"

/// Passes of a velocity that is given.
namespace wisp::reference {

/// At p [cells], in [m/s].
dvec3 prescribedVelocity(const Step& s, const gpu::PrescribedData& field, dvec3 p);
Field prescribe(const Step& s, const gpu::PrescribedData& field);
Field upwind(const Step& s, const gpu::PrescribedData& field, const Field& scalars, dvec4 keep, double dt, const gpu::InflowPush& inflow);
/// `departures` [cells] of scalar cells; those at the start are the cells' centres.
Field depart(const Step& s, const gpu::PrescribedData& field, const Field& departures, double dt, int parts);
Field exactSurroundings(const Step& s, const Field& departures, const gpu::InflowPush& inflow);
Measures measureError(const Field& scalars, const Field& exact, double greatest);

}  // namespace wisp::reference
