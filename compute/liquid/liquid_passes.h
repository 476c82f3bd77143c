// SPDX-License-Identifier: MIT
#pragma once

#include "compute/liquid/liquid.h"
#include "compute/pressure/pressure.h"

#include <memory>
#include <span>
#include <vector>

/// Stages of a liquid step, in order.
namespace wisp {

/// Initial particles, in shapes and emitters.
void recordLiquidAtStart(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Liquid&, const Settings&);
/// Velocity of particles -> flow.velocity.
void recordParticlesToGrid(engine::Recorder&, const Domain&, Flow&, Liquid&);
/// Gravity: flow.velocity -> flow.scratch.
void recordLiquidForces(engine::Recorder&, const Domain&, Flow&, const Settings&);
/// Finds FLUID cells and the distance to the surface. `velocity`: of the liquid, which may leave walls. Cells that were EMPTY get an
/// initial pressure.
void recordLiquidSurface(engine::Recorder&, const Domain&, const engine::Image& velocity, PressureSystem&, Liquid&, const Settings&);
/// Pressure solve, projection, extrapolation: flow.scratch -> flow.projected.
void recordLiquidPressure(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Liquid&, const Settings&, const PressureSettings& solve,
                          const std::shared_ptr<std::vector<double>>& trace);
/// Position correction, which moves crowded particles apart.
void recordLiquidPositionCorrection(engine::Recorder&, const Domain&, PressureSystem&, Liquid&, const Settings&);
/// Updates velocity and position of particles from flow.projected and from flow.velocity, the velocity before the projection.
void recordGridToParticles(engine::Recorder&, const Domain&, Flow&, Liquid&, const Settings&);
/// `step` from `time` [s]: spawns particles in emitters and thin regions, and sorts particles by cell.
void recordLiquidSources(engine::Recorder&, const Domain&, const Flow&, Liquid&, const Settings&, std::span<const EmitterSettings>,
                         std::uint64_t step, double time);

}  // namespace wisp
