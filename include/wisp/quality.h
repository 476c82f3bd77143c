// SPDX-License-Identifier: MIT
#ifndef WISP_QUALITY_H
#define WISP_QUALITY_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// Error of the density that a prescribed velocity advects, compared with the exact density.
struct AdvectionError {
    double l1 = 0.0;         ///< sum of the absolute difference, over that of the exact density
    double l2 = 0.0;         ///< root of the sum of its square, over that of the exact density
    double overshoot = 0.0;  ///< largest distance of a value from [0, largest exact density]
    double mass = 0.0;       ///< relative error of the sum
};

/// Quality numbers of a liquid.
struct LiquidQuality {
    double particles = 0.0;  ///< number of particles
    double volume = 0.0;     ///< [m^3], enclosed by the surface
    /// Kinetic and potential energy over the density [m^5/s^2]. The potential energy is 0 at the low corner of the box.
    double energy = 0.0;
    double inSolids = 0.0;  ///< number of particles inside obstacles
    // Numbers of particles since the start:
    double left = 0.0;        ///< left through open sides
    double lost = 0.0;        ///< deleted because they were NaN or infinite
    double surplus = 0.0;     ///< deleted because their cell had too many
    double notSpawned = 0.0;  ///< not spawned because liquid.capacity was reached
};

/// What a sparse simulation stores.
struct SparseQuality {
    double activeBricks = 0.0;   ///< number of bricks of 16^3 fine cells
    double activeShare = 0.0;    ///< share of the box that they fill
    double refusedBricks = 0.0;  ///< that the last step did not open because there were too few slots
    double droppedMass = 0.0;    ///< smoke below the threshold that closing bricks removed since the start [kg, as mass]
};

/// Numbers of a fire.
struct FireQuality {
    double heatReleased = 0.0;  ///< [W], of the fuel that burns now
    double fuel = 0.0;          ///< [kg] that is left
    double hottest = 0.0;       ///< greatest temperature [K above ambient]
    double outflow = 0.0;       ///< gas that left through the sides of the box in the last step [m^3/s], less what entered
    double expansion = 0.0;     ///< gas that the last step's heat added [m^3/s]: the integral of the divergence
};

/// Force of a fluid on an obstacle: pressure on its surface and viscous friction along it. The force does not include the turbulence that
/// advection damps.
struct BodyForce {
    std::array<double, 3> force{};     ///< [N]; in a flat grid, on a layer one cell thick
    std::array<double, 3> torque{};    ///< about the obstacle's centre [N m]
    std::array<double, 3> friction{};  ///< [N], the part of `force` due to viscosity
};

/// What changed the momentum of the fluid in a step [kg m/s]. The sum is the change of Quality::momentum, unless obstacles or the box move.
struct MomentumBudget {
    std::array<double, 3> sources{};  ///< emitters and strokes
    std::array<double, 3> forces{};   ///< buoyancy, vorticity confinement, flow.velocity_decay
    std::array<double, 3> bodies{};   ///< obstacles: minus the sum of BodyForce::force times the step
    std::array<double, 3> sides{};    ///< what flowed in through the sides of the box, and their pressure and friction
    std::array<double, 3> error{};    ///< of advection, which would otherwise only move momentum; without sides also of the pressure
};

/// Quality numbers of a step. The GPU sums them in a fixed order, so they are reproducible.
struct Quality {
    double divergenceRms = 0.0;         ///< [1/s] over the pressure grid's fluid cells, after projection
    double divergenceMax = 0.0;         ///< [1/s]
    double fineDivergenceRms = 0.0;     ///< [1/s] over the fine grid's fluid cells
    double fineDivergenceBefore = 0.0;  ///< the same before the projection, of a dense one with SimulationOptions::residuals; else 0
    /// Number of blocks of 2x2x2 cells whose fluid an obstacle cuts into separate parts: their divergence cannot be repaired exactly. With
    /// a pressure ratio of 4, blocks of the intermediate grid are included.
    double splitBlocks = 0.0;
    double residual = 0.0;          ///< |b - A q| / |b| of the last pressure solve
    std::uint32_t cycles = 0;       ///< cycles or sweeps of that solve
    std::vector<double> residuals;  ///< the same before and during that solve, with SimulationOptions::residuals
    double mass = 0.0;        ///< sum of density * volume outside solids [kg at 1 kg/m^3 per unit density]; of a liquid, its particles
    double leakedMass = 0.0;  ///< the same inside solids
    /// Smoke that has passed through thin bodies since the start [kg, as mass], in both directions: boxes, capsules and meshes that are
    /// thinner than 4 cells. Not in a scene with liquid.
    std::optional<double> crossedMass;
    /// Smoke that flow.side_fade removed in the last step [kg, as mass]; 0 before the first step. Only if that is above 0.
    std::optional<double> fadedMass;
    double kineticEnergy = 0.0;  ///< sum of |u|^2 / 2 * h^3 [m^5/s^2]
    double maxSpeed = 0.0;       ///< [m/s]
    /// Of smoke and air [kg m/s], with which the next step begins; not with a prescribed velocity.
    std::optional<std::array<double, 3>> momentum;
    std::optional<MomentumBudget> momentumBudget;  ///< of a dense simulation with SimulationOptions::residuals
    std::optional<LiquidQuality> liquid;           ///< only in a scene with liquid
    std::optional<FireQuality> fire;               ///< only in a scene with fuel
    std::optional<SparseQuality> sparse;           ///< only in a sparse simulation
    std::optional<AdvectionError> error;  ///< only if the exact density is known, that is, if only a prescribed velocity has changed it
    std::vector<BodyForce> bodies;        ///< one per obstacle; empty with a prescribed velocity, which has no pressure
    std::string notFinite;                ///< first of velocity, density, temperature, fuel, particles with NaN or infinity; empty if none
    /// Whether no value is NaN or infinite.
    [[nodiscard]] bool finite() const { return notFinite.empty(); }
};

}  // namespace wisp

#endif
