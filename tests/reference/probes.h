// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/view.h"
#include "wisp/wind.h"

namespace wisp::reference {

/// What `sample_probes` leaves at a point.
struct ProbeTwin {
    bool there = false;  ///< in the box and in no body
    double edge = 0.0;   ///< how far [cells] from where that changes
    dvec3 velocity{0.0};
    // Each with the weight of the fluid cells around: 0: no value.
    dvec3 vorticity{0.0};
    double pressure = 0.0, density = 0.0, temperature = 0.0;
    double vorticityWeight = 0.0, pressureWeight = 0.0, scalarWeight = 0.0;
};

/// Pass `sample_probes` at x [m]; of `from` velocity, openness, scalars, centre, pressure and weights, `solid`: distances of cell centres
/// [cells].
ProbeTwin sampleProbe(const Step& s, const ViewSources& from, const Field& solid, const gpu::WispWind& wind, dvec3 x);

}  // namespace wisp::reference
