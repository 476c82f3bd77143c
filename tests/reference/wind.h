// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/grid.h"

#include "wisp/wind.h"

namespace wisp::reference {

/// The velocity [m/s] of a field on faces at p [cells]; outside of the box that of the nearest place in it.
dvec3 velocityAt(const Field& faces, const gpu::WispWind& wind, dvec3 p);
/// The velocity [m/s] of a field on faces at x [m], as `sample_wind` of docs/passes.md says.
dvec3 windAt(const Field& faces, const gpu::WispWind& wind, dvec3 x);

}  // namespace wisp::reference
