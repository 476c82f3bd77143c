// SPDX-License-Identifier: MIT
#pragma once

#include "compute/liquid/liquid.h"
#include "compute/pressure/pressure.h"

#include <memory>
#include <span>
#include <vector>

/// Stages of a liquid's step, in its order.
namespace wisp {

/// Particles of the initial shapes.
void recordLiquidAtStart(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Liquid&, const Settings&);
/// Velocity of particles -> flow.velocity.
void recordParticlesToGrid(engine::Recorder&, const Domain&, Flow&, Liquid&);
/// Gravity: flow.velocity -> flow.scratch.
void recordLiquidForces(engine::Recorder&, const Domain&, Flow&, const Settings&);
/// Which cells are FLUID, and where the surface lies; `velocity` says where it goes. Cells that were EMPTY get a pressure to begin with.
void recordLiquidSurface(engine::Recorder&, const Domain&, const engine::Image& velocity, PressureSystem&, Liquid&, const Settings&);
/// Solve, projection, extrapolation: flow.scratch -> flow.projected.
void recordLiquidPressure(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Liquid&, const Settings&,
                          const std::shared_ptr<std::vector<double>>& trace);
/// Position correction: crowded particles move apart.
void recordLiquidCrowding(engine::Recorder&, const Domain&, PressureSystem&, Liquid&, const Settings&);
/// Velocity and position of particles, from flow.velocity, which they brought, and flow.projected.
void recordGridToParticles(engine::Recorder&, const Domain&, Flow&, Liquid&, const Settings&);
/// Emitters; particles in the order of cells again.
void recordLiquidSources(engine::Recorder&, const Domain&, const Flow&, Liquid&, const Settings&, std::span<const EmitterSettings>,
                         std::uint64_t step);

}  // namespace wisp
