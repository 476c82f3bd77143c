// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// How far the density that a prescribed velocity carries is from what it should be, which is known.
struct AdvectionError {
    double l1 = 0.0, l2 = 0.0;  ///< norms of the difference over those of the exact density
    double overshoot = 0.0;     ///< how far any value is outside of [0, the greatest that anything brings in]
    double mass = 0.0;          ///< relative error of the sum
};

/// What becomes of a liquid.
struct LiquidQuality {
    double particles = 0.0;
    double volume = 0.0;      ///< [m^3], as its surface has it
    double energy = 0.0;      ///< kinetic and potential, of which there is none at the low corner of the box, over its density [m^5/s^2]
    double inSolids = 0.0;    ///< particles that are inside of obstacles
    double left = 0.0;        ///< particles that have left through open sides since the start
    double lost = 0.0;        ///< particles that were no numbers any more, likewise
    double surplus = 0.0;     ///< particles that were too many in a cell, likewise
    double notSpawned = 0.0;  ///< births for which liquid.capacity had no room, likewise
};

/// What a fluid does to an obstacle, by the pressure on its surface and by viscosity along it. The turbulence that advection damps is no
/// part of it.
struct BodyForce {
    glm::dvec3 force{0.0};     ///< [N]; in flat grids of a layer one cell thick
    glm::dvec3 torque{0.0};    ///< about the obstacle's centre [N m]
    glm::dvec3 friction{0.0};  ///< the part of `force` that is by viscosity
};

/// Numbers that say how right a step was, measured on the GPU in a fixed order of summation.
struct Quality {
    double divergenceRms = 0.0;         ///< [1/s] over the pressure grid's fluid cells, after projection
    double divergenceMax = 0.0;         ///< [1/s]
    double fineDivergenceRms = 0.0;     ///< [1/s] over the fine grid's fluid cells
    double fineDivergenceBefore = 0.0;  ///< the same before the projection, if the step was traced; else 0
    double splitBlocks =
        0.0;                ///< blocks of 2x2x2 cells, of the grid between too, whose fluid an obstacle cuts in two: not repaired exactly
    double residual = 0.0;  ///< |b - A q| / |b| of the last pressure solve
    std::vector<double> residuals;    ///< the same before that solve and on its way, if it was traced (see FluidSimulator::step)
    double mass = 0.0;                ///< sum of density * volume outside solids [kg at 1 kg/m^3 per unit density]
    double leakedMass = 0.0;          ///< the same inside solids
    std::optional<double> fadedMass;  ///< what FlowSettings::sideFade has taken out of smoke in the last step [kg, as mass]; 0 before the
                                      ///< first; only where it is above 0
    double kineticEnergy = 0.0;       ///< sum of |u|^2 / 2 * h^3 [m^5/s^2]
    double maxSpeed = 0.0;            ///< [m/s]
    std::optional<LiquidQuality> liquid;  ///< in a scene with liquid, whose mass is that of its particles
    std::optional<AdvectionError> error;  ///< where the exact density is known, see FluidSimulator::knowsExact
    std::vector<BodyForce> bodies;        ///< of each obstacle, but with a prescribed velocity, which has no pressure
    std::string notFinite;                ///< first of velocity, density, temperature, particles with a NaN or Inf; empty: none
    [[nodiscard]] bool finite() const { return notFinite.empty(); }
};

}  // namespace wisp
