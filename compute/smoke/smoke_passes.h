// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/scene/motion.h"
#include "compute/smoke/decay.h"
#include "compute/smoke/smoke.h"

#include <span>

/// Stages of a smoke step, in its order; those around the pressure: compute/pressure/pressure.h.
namespace wisp {

// At the start, and when settings change.
/// Smoke and velocity to begin with.
void recordInitial(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&, double time);
/// Colours of smoke that had none until now.
void recordWhiteColours(engine::Recorder&, const Domain&, Smoke&);
/// Smoke where obstacles left.
void recordUncover(engine::Recorder&, const Domain&, Smoke&);

// The velocity: what acts on flow.velocity before the pressure does.
/// Velocity of emitters.
void recordJets(engine::Recorder&, const Domain&, Flow&, const Settings&, std::span<const EmitterSettings>, double time);
/// What a stroke pushes along.
void recordStrokeVelocity(engine::Recorder&, const Domain&, Flow&, const StrokeSettings&, const Way&);
/// Viscosity, vorticity confinement, buoyancy.
void recordForces(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&);

// Or a prescribed velocity, instead of all before advection.
void recordPrescribed(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&);
/// Exact paths of a prescribed velocity ...
void recordDeparturesAtStart(engine::Recorder&, const Domain&, Smoke&);
/// ... a step further back.
void recordDepartures(engine::Recorder&, const Domain&, Smoke&, const Settings&);
/// The density at their ends.
void recordExact(engine::Recorder&, const Domain&, Smoke&, const Settings&);

// Motion of the smoke.
/// Velocity and scalars along the divergence-free velocity: flow.projected -> flow.velocity.
void recordAdvect(engine::Recorder&, const Domain&, Flow&, Smoke&, const Settings&, const Kept&, double time);
/// Smoke fades before open sides, in a box that has gone so far in the step.
void recordSideFade(engine::Recorder&, const Domain&, Smoke&, const Settings&, glm::ivec3 scrolled);
/// Density, temperature, colours of emitters.
void recordSources(engine::Recorder&, const Domain&, Smoke&, const Settings&, std::span<const EmitterSettings>);
/// Density, temperature, colours that a stroke leaves.
void recordStrokeScalars(engine::Recorder&, const Domain&, Smoke&, const StrokeSettings&, const Way&);
void recordTracersAtStart(engine::Recorder&, Smoke&, const Settings&);
/// Tracers along the divergence-free velocity, in a box that has gone so far in the step.
void recordTracers(engine::Recorder&, const Flow&, Smoke&, const Settings&, std::uint64_t step, glm::ivec3 scrolled);

}  // namespace wisp
