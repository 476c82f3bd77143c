// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/liquid/liquid.h"
#include "tests/reference/solids.h"

#include <array>
#include <cstdint>
#include <vector>

/// Liquid simulation with particles and a grid. The code loops over particles, not over the cells that contain them. Where the rounding
/// error of a result depends on the input, its bound is returned with the result.
namespace wisp::reference {

struct Particle {
    dvec4 place{0.0};                 ///< xyz [fine cells]; w: 1, or 0 after it has left
    dvec4 velocity{0.0};              ///< xyz [m/s]
    std::array<dvec4, 3> gradient{};  ///< xyz: gradients of u, v and w [1/s]
};
using Particles = std::vector<Particle>;
using Words = Grid<std::uint32_t>;

/// Half a unit in the last place of a float of size 1.
inline constexpr double kRounding = 5.96e-8;

/// Cell of a position in the box. Positions on the high sides belong to the last cells.
ivec3 cellOf(const Step& s, dvec3 p);
bool isSound(const Particle& p);
bool isInBox(const Step& s, dvec3 p);

// Counting, removing, spawning and sorting of particles.

/// Pass `liquid_count`.
struct Counted {
    Words counts, taken;
    std::array<std::uint32_t, 3> removed{};  ///< removed: left the box, not finite, surplus
};
Counted countParticles(const Step& s, const Particles& particles, int edge);
/// Pass `liquid_reseed`.
Words reseed(const Step& s, const Field& aperture, const Counted& counted, const gpu::LiquidSpawn& push);
/// Pass `liquid_source`: sub-cells to spawn particles in, and sub-cells whose centres are within `error` [m] of a surface (bit masks).
struct Filled {
    Words spawned, unsure;
};
Filled fill(const Step& s, const gpu::LiquidSource& push, const Field& distance, const Words& taken, const Words& spawned, double error);
/// Passes `liquid_scan` to `liquid_first`: index of the first particle of each cell. The last entry is the number of particles.
std::vector<std::uint32_t> firstParticles(const Words& counts, const Words& spawned, std::uint32_t capacity);
/// Passes `liquid_order` and `liquid_sort`: a stable sort by cell, with room for the particles to be spawned.
Particles sorted(const Step& s, const Particles& particles, const std::vector<std::uint32_t>& first);
/// Pass `liquid_spawn`: spawns particles into the gaps of a sorted list.
void bear(const Step& s, const Field& velocity, const Counted& counted, const Words& spawned, const std::vector<std::uint32_t>& first,
          const gpu::LiquidSpawn& push, Particles& particles);

// Transfer from particles to the grid.

/// Weight of a particle along an axis, and its derivative.
double kernel(double d, bool quadratic);
double slope(double d, bool quadratic);

/// Pass `liquid_to_grid`. Per component: velocity, layer, rounding error of the velocity, and whether rounding decides if it is known.
struct Transferred {
    Field velocity, known, tolerance, unsure;
};
Transferred toGrid(const Step& s, const Particles& particles, bool quadratic, bool affine);
/// Pass `liquid_density`.
struct Density {
    Numbers density, tolerance;
};
Density density(const Step& s, const Particles& particles, const Field& aperture, double volume);
/// Pass `liquid_cells`: phi, density, 1 if the liquid leaves a wall, 1 if rounding decides that. `q`: from the previous step.
Field surface(const Step& s, const Numbers& density, const Words& counts, const Field& aperture, const Field& velocity, const Numbers& q);

/// Pass `liquid_extrapolate` for one layer. `known`: layer of each component.
struct Extrapolated {
    Field velocity, known;
};
Extrapolated extrapolate(const Step& s, const Field& velocity, const Field& known, int layer);

// Pressure.

/// Pass `liquid_weights`.
Field liquidWeights(const Step& s, const Field& aperture, const Field& surface, bool ghostFluid);
/// Pass `liquid_divergence`: right-hand side.
Numbers liquidRightHandSide(const Step& s, const Field& velocity, const Field& aperture, const Field& surface);
/// Pass `liquid_gradient`. Per component: velocity, layer (0 or 255), rounding error.
struct Projected {
    Field velocity, known, tolerance;
};
Projected liquidGradient(const Step& s, const Field& weights, const Numbers& q, const Field& velocity, const Field& aperture,
                         const Field& surface);
/// Pass `liquid_slip`. `distanceError`: error of a distance sample [cells].
struct Slipped {
    Field velocity, tolerance, unsure;
};
Slipped slip(const Step& s, const Field& velocity, const Field& aperture, const Field& distance, double distanceError);

// Density correction.

/// Pass `liquid_density_error`: right-hand side.
Numbers liquidDensityError(const Step& s, const Field& aperture, const Field& surface, double rate);
/// Pass `liquid_position_correction`: velocity of the position correction. It moves positions only.
Field liquidPositionCorrection(const Step& s, const Field& weights, const Numbers& psi, const Field& aperture);

// Transfer back to the particles.

/// Velocity component at p with the transfer's kernel [m/s], and its gradient [1/s].
double atParticle(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic);
dvec3 gradientAt(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic);

/// Error bounds of the inputs of moveParticle().
struct MoveErrors {
    double sample;              ///< of a velocity sample [m/s]
    double steep;               ///< largest change of a component when the position moves by a cell along every axis [m/s]
    double positionCorrection;  ///< of a sample of `spread` [m/s]
    double phi;                 ///< of a distance to obstacles [cells]
};
struct MovedParticle {
    Particle particle;
    double cells = 0.0;  ///< distance travelled in the step at its speed
    double error = 0.0;  ///< of its position [cells]
    bool sure = true;    ///< no error within the bounds changes a branch
};
/// Pass `liquid_move` for a particle that is not surplus. `known`: layer of each component.
MovedParticle moveParticle(const Step& s, const Particle& particle, const Field& velocity, const Field& before, const Field& known,
                           const Field& distance, const Field& positionCorrection, const gpu::LiquidMove& push, bool quadratic, bool affine,
                           MoveErrors errors);

/// Passes `measure_liquid` and `measure_surface`.
std::array<double, 8> measureLiquid(const Step& s, const Particles& particles, const Field& distance, dvec3 gravity);
std::array<double, 8> measureSurface(const Step& s, const Field& velocity, const Field& aperture, const Field& surface);

}  // namespace wisp::reference
