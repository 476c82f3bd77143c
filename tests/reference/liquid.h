// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/liquid/liquid.h"
#include "tests/reference/solids.h"

#include <array>
#include <cstdint>
#include <vector>

/// A liquid by particles and a grid. Particles are told of one by one here, not by the cells that they are in; what roundings may make of a
/// result is said beside it where that depends on the numbers.
namespace wisp::reference {

struct Particle {
    dvec4 place{0.0};                 ///< xyz [fine cells], w = 1; 0: it has left
    dvec4 velocity{0.0};              ///< xyz [m/s]
    std::array<dvec4, 3> gradient{};  ///< xyz: of u, v and w [1/s]
};
using Particles = std::vector<Particle>;
using Words = Grid<std::uint32_t>;

/// Half a unit in the last place of a float of size 1.
inline constexpr double kRounding = 5.96e-8;

/// The cell of a place in the box, whose high sides belong to the last cells.
ivec3 cellOf(const Step& s, dvec3 p);
bool isSound(const Particle& p);
bool isInBox(const Step& s, dvec3 p);

// Which particles there are.

/// Pass `liquid_count`.
struct Counted {
    Words counts, taken;
    std::array<std::uint32_t, 3> gone{};  ///< left, no numbers, too many
};
Counted countParticles(const Step& s, const Particles& particles, int edge);
/// Pass `liquid_reseed`.
Words reseed(const Step& s, const Field& openness, const Counted& counted, const gpu::LiquidNewborn& push);
/// Pass `liquid_source`: births, and the bits of parts whose middles are within `error` [m] of a surface.
struct Filled {
    Words births, unsure;
};
Filled fill(const Step& s, const gpu::LiquidBirths& push, const Field& distance, const Words& taken, const Words& births, double error);
/// Passes `liquid_scan` to `liquid_first`: the first particle of each cell, and how many there are.
std::vector<std::uint32_t> firstParticles(const Words& counts, const Words& births, std::uint32_t capacity);
/// Passes `liquid_place` and `liquid_sort`: by cell, in one cell in the order that they had; with room for those to be born.
Particles sorted(const Step& s, const Particles& particles, const std::vector<std::uint32_t>& first);
/// Pass `liquid_newborn`, into a list that is sorted.
void bear(const Step& s, const Field& velocity, const Counted& counted, const Words& births, const std::vector<std::uint32_t>& first,
          const gpu::LiquidNewborn& push, Particles& particles);

// From particles to the grid.

/// Weight of a particle along an axis.
double kernel(double d, bool quadratic);
double slope(double d, bool quadratic);

/// Pass `liquid_to_grid`. Per component: what is known, what roundings may make of its velocity, and whether they decide if it is known.
struct Transferred {
    Field velocity, known, tolerance, unsure;
};
Transferred toGrid(const Step& s, const Particles& particles, bool quadratic, bool affine);
/// Pass `liquid_density`.
struct Density {
    Numbers density, tolerance;
};
Density density(const Step& s, const Particles& particles, const Field& openness, double volume);
/// Pass `liquid_cells`: phi, density, 1 where it leaves a wall, 1 where roundings decide whether it does. `q`: of the step before.
Field surface(const Step& s, const Numbers& density, const Words& counts, const Field& openness, const Field& velocity, const Numbers& q);

/// Pass `liquid_extrapolate`, for one layer. `known`: layers by component.
struct Extrapolated {
    Field velocity, known;
};
Extrapolated extrapolate(const Step& s, const Field& velocity, const Field& known, int layer);

// Pressure.

/// Pass `liquid_weights`.
Field liquidWeights(const Step& s, const Field& openness, const Field& surface, bool ghostFluid);
/// Pass `liquid_divergence`: right-hand side.
Numbers liquidRightHandSide(const Step& s, const Field& velocity, const Field& openness, const Field& surface);
/// Pass `liquid_gradient`. Per component: velocity, layers (0 or 255), what roundings make of it.
struct Projected {
    Field velocity, known, tolerance;
};
Projected liquidGradient(const Step& s, const Field& weights, const Numbers& q, const Field& velocity, const Field& openness,
                         const Field& surface);
/// Pass `liquid_slip`; `distanceError` [cells] of a sample of the distance.
struct Slipped {
    Field velocity, tolerance, unsure;
};
Slipped slip(const Step& s, const Field& velocity, const Field& openness, const Field& distance, double distanceError);

// What lets crowded places widen.

/// Pass `liquid_crowding`: right-hand side.
Numbers liquidCrowding(const Step& s, const Field& openness, const Field& surface, double rate);
/// Pass `liquid_spread`: velocity of places alone.
Field liquidSpread(const Step& s, const Field& weights, const Numbers& psi, const Field& openness);

// Back to the particles.

/// A component of the velocity at p, by the transfer's kernel [m/s], and its gradient [1/s].
double atParticle(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic);
dvec3 gradientAt(const Step& s, const Field& velocity, dvec3 p, int axis, bool quadratic);

/// How wrong numbers may be that go into a particle's way.
struct MoveErrors {
    double sample;  ///< of a velocity's sample [m/s]
    double steep;   ///< most that a component changes by where the place does by a cell along every axis [m/s]
    double spread;  ///< of a sample of the spread [m/s]
    double phi;     ///< of a distance to obstacles [cells]
};
struct MovedParticle {
    Particle particle;
    double cells = 0.0;  ///< that it goes in the step, at its speed
    double error = 0.0;  ///< of its place [cells]
    bool sure = true;    ///< no error within those allowed goes another way
};
/// Pass `liquid_move`, of a particle that is not one too many. `known`: layers by component.
MovedParticle moveParticle(const Step& s, const Particle& particle, const Field& velocity, const Field& before, const Field& known,
                           const Field& distance, const Field& spread, const gpu::LiquidMove& push, bool quadratic, bool affine,
                           MoveErrors errors);

/// Passes `measure_liquid` and `measure_surface`.
std::array<double, 8> measureLiquid(const Step& s, const Particles& particles, const Field& distance, dvec3 gravity);
std::array<double, 8> measureSurface(const Step& s, const Field& velocity, const Field& openness, const Field& surface);

}  // namespace wisp::reference
