// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/view.h"
#include "wisp/wind.h"

namespace wisp::reference {

/// Result of `sample_probes` at a point.
struct ProbeTwin {
    bool there = false;  ///< inside the box and outside all obstacles
    double edge = 0.0;   ///< distance to where `there` changes [cells]
    dvec3 velocity{0.0};
    // Each value has the total weight of its fluid cells. Weight 0: no value.
    dvec3 vorticity{0.0};
    double pressure = 0.0, density = 0.0, temperature = 0.0;
    double vorticityWeight = 0.0, pressureWeight = 0.0, scalarWeight = 0.0;
};

/// Pass `sample_probes` at x [m]. Reads velocity, aperture, scalars, centre, pressure and weights of `from`. `potential`: of pre-smoothing,
/// of fine cells. `solid`: distances of cell centres to obstacles [cells].
ProbeTwin sampleProbe(const Step& s, const ViewSources& from, const Numbers& potential, const Field& solid, const gpu::WispWind& wind,
                      dvec3 x);

}  // namespace wisp::reference
