// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/outside_air.h"
#include "shaders/shared/tracers.h"
#include "tests/reference/solids.h"

/// What the flow carries, and the air outside.
namespace wisp::reference {

/// How wrong a place and a distance to obstacles may be [cells].
struct TracerErrors {
    double place, phi;
};

/// A tracer, and how sure that is.
struct Moved {
    dvec4 tracer{0.0};  ///< xyz in cells, w the time that is left [s]
    bool born = false;
    bool sure = true;    ///< no error within those allowed makes another of it: it was not so near to where it dies
    double error = 0.0;  ///< of its place
};

/// The place that tracer n is born at in a step. `distance`: of cell centres to obstacles [cells].
Moved born(const Step& s, const gpu::TracersPush& push, const Field& distance, std::uint32_t n, double left, TracerErrors errors);
/// Pass `move_tracers` for tracer n.
Moved moveTracer(const Step& s, const gpu::TracersPush& push, const Field& velocity, const Field& distance, std::uint32_t n, dvec4 tracer,
                 TracerErrors errors);

/// Distance [cells] to the nearest obstacle.
double obstacleAt(const Step& s, const Field& distance, dvec3 p);

/// Smooth noise of rms 1 at `origin` + x, in edges of its lattice.
dvec3 smoothNoise(dvec3 x, ivec3 origin, int seed);
/// Velocity of the air outside [m/s], with gusts, at p [cells].
dvec3 outsideAir(const gpu::OutsideAir& air, dvec3 p);

/// No component of the noise is steeper than this along an axis, an edge of its lattice: values in [-1, 1], a quintic of slope 15/8, the
/// factor 2.4973.
inline constexpr double kNoiseSlope = 2.0 * 1.875 * 2.4973;
/// Roundings of its sum of eight products, in units of half a last place: five a product, eight of sums.
inline constexpr double kNoiseRoundings = 2.4973 * 16.0;

}  // namespace wisp::reference
