// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/ambient_flow.h"
#include "shaders/shared/tracers.h"
#include "tests/reference/solids.h"

/// Tracers and the ambient flow.
namespace wisp::reference {

/// Error bounds of a position and of a distance to obstacles [cells].
struct TracerErrors {
    double place, phi;
};

/// A tracer after a step, and how certain the result is.
struct Moved {
    dvec4 tracer{0.0};  ///< xyz [cells], w: remaining lifetime [s]
    bool born = false;
    bool sure = true;    ///< no error within the bounds decides whether it is removed
    double error = 0.0;  ///< of its position
};

/// Position where tracer n is spawned in a step. `distance`: from cell centres to obstacles [cells].
Moved born(const Step& s, const gpu::TracersPush& push, const Field& distance, std::uint32_t n, double left, TracerErrors errors);
/// Pass `move_tracers` for tracer n.
Moved moveTracer(const Step& s, const gpu::TracersPush& push, const Field& velocity, const Field& distance, std::uint32_t n, dvec4 tracer,
                 TracerErrors errors);

/// Distance [cells] to the nearest obstacle.
double obstacleAt(const Step& s, const Field& distance, dvec3 p);

/// Smooth noise with an rms of 1 at `origin` + x, in units of its lattice.
dvec3 smoothNoise(dvec3 x, ivec3 origin, int seed);
/// Velocity of the ambient flow [m/s] at p [cells], with gusts.
dvec3 ambientFlow(const gpu::AmbientFlow& air, dvec3 p);

/// Upper bound of the slope of a noise component along an axis, per lattice edge: values in [-1, 1], a quintic with slope 15/8, the factor
/// 2.4973.
inline constexpr double kNoiseSlope = 2.0 * 1.875 * 2.4973;
/// Rounding errors of the noise's sum of eight products, in units of half a last place: five per product, eight for the sums.
inline constexpr double kNoiseRoundings = 2.4973 * 16.0;

}  // namespace wisp::reference
