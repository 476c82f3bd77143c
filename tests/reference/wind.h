// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/grid.h"

#include "wisp/wind.h"

namespace wisp::reference {

/// Velocity [m/s] of a field on faces at p [cells]. Outside the box, the velocity at the nearest position inside.
dvec3 velocityAt(const Field& faces, const gpu::WispWind& wind, dvec3 p);
/// Velocity [m/s] of a field on faces at x [m], as `sample_wind` in docs/passes.md.
dvec3 windAt(const Field& faces, const gpu::WispWind& wind, dvec3 x);

}  // namespace wisp::reference
