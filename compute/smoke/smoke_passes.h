// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/pressure/pressure_system.h"
#include "compute/scene/motion.h"
#include "compute/smoke/decay.h"
#include "compute/smoke/smoke.h"
#include "shaders/shared/crossed.h"
#include "shaders/shared/fire.h"

#include <span>

/// Stages of a smoke step, in order. The stages of the pressure are in compute/pressure/pressure.h.
namespace wisp {

// At the start, and when settings change.
/// Initial smoke and velocity.
void recordInitial(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&, double time);
/// White colours for smoke that had no colour fields.
void recordWhiteColours(engine::Recorder&, const Domain&, Smoke&);
/// Fresh-cell fill: smoke in cells that obstacles have left.
void recordFreshCells(engine::Recorder&, const Domain&, Smoke&);

// Bricks of a sparse simulation, before any other stage of a step.
/// Advection writes only active bricks and reads across their borders: the scratch images of a field must be 0 elsewhere.
void clearScratch(engine::Recorder&, const std::array<engine::Image, 3>& field);
/// At the start: lists the bricks of these seeds and of obstacles. Empties all slots.
void recordFirstBricks(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&, const Smoke&, const Settings&, const Seeds&);
/// Lists the bricks that this step needs, and closes others. recordFill then has to fill opened bricks and the halo.
void recordBrickList(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&, Smoke&, const Settings&, const Seeds&);

// Velocity: stages that act on flow.velocity before the pressure.
/// Velocity of emitters, in the step from `time` [s].
void recordJets(engine::Recorder&, const Domain&, Flow&, const Settings&, std::span<const EmitterSettings>, double time);
/// The capsule outside of which a segment of a stroke changes nothing.
Shape strokeShape(const StrokeSettings&, const MotionSegment&);
/// Velocity that a stroke adds.
void recordStrokeVelocity(engine::Recorder&, const Domain&, Flow&, const StrokeSettings&, const MotionSegment&);
/// Viscosity, vorticity confinement, buoyancy, and the gradient of PressureSystem::potential. Whether Flow::acceleration was written.
bool recordForces(engine::Recorder&, const Domain&, const PressureSystem&, Flow&, const Smoke&, const Settings&);

/// A prescribed velocity, which replaces all stages before advection.
void recordPrescribed(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&);
/// Starts exact backtraces along a prescribed velocity.
void recordDeparturePointsAtStart(engine::Recorder&, const Domain&, Smoke&);
/// Extends the exact backtraces by a step.
void recordDeparturePoints(engine::Recorder&, const Domain&, Smoke&, const Settings&);
/// The exact density, from the ends of the backtraces.
void recordExact(engine::Recorder&, const Domain&, Smoke&, const Settings&);

// Motion of the smoke.
/// Advects velocity and scalars along the divergence-free velocity: flow.projected -> flow.velocity.
void recordAdvect(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Smoke&, const Settings&, const DecayFactors&, double time);
/// Adds the density that the last advection moved through thin bodies to Smoke::crossed.
void recordCrossedMass(engine::Recorder&, const Domain&, const Flow&, const Smoke&, const gpu::CrossedPush&);
/// The density in all scalar cells together that Smoke::crossed, whose bytes are `sums`, stands for.
double crossedDensity(std::span<const std::byte> sums);
/// Fades smoke at open sides. `scrolled`: cells that the box has moved in the step.
void recordSideFade(engine::Recorder&, const Domain&, const Flow&, Smoke&, const Settings&, glm::ivec3 scrolled);
/// Numbers of a step of fire, for the shaders. `ambient`: [K].
gpu::FirePush firePush(const FireSettings&, float ambient, float timeStep);
/// Combustion, radiation and soot, in a scene with fuel. Leaves the divergence of the gas for the next projection.
void recordReact(engine::Recorder&, const Domain&, const Flow&, Smoke&, const Settings&);
/// Density, temperature, fuel, colours of emitters, in a step from `time` that takes `dt` [s].
void recordSources(engine::Recorder&, const Domain&, Smoke&, const Settings&, std::span<const EmitterSettings>, double time, double dt);
/// Density, temperature, colours that a stroke adds.
void recordStrokeScalars(engine::Recorder&, const Domain&, Smoke&, const StrokeSettings&, const MotionSegment&);
void recordTracersAtStart(engine::Recorder&, Smoke&, const Settings&);
/// Moves tracers along the divergence-free velocity. `scrolled`: cells that the box has moved in the step.
void recordTracers(engine::Recorder&, const Flow&, Smoke&, const Settings&, std::uint64_t step, glm::ivec3 scrolled);

}  // namespace wisp
