// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/fields.h"
#include "compute/scene/motion.h"
#include "compute/sim/quality.h"
#include "compute/smoke/decay.h"
#include "engine/recorder.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

/// The stages of a step, in frame order. Each records its passes and leaves the fields as the next one expects them.
namespace wisp {

void recordInitial(engine::Recorder&, Fields&, const Settings&, double time);     ///< fields to begin with
void recordOutsideAir(engine::Recorder&, Fields&, const Settings&, double time);  ///< a velocity like that everywhere
void recordOpenness(engine::Recorder&, Fields&);        ///< signed distance of obstacles -> openness of fine faces
void recordMovedObstacles(engine::Recorder&, Fields&);  ///< the same, and smoke where they left
void recordCoarseOpenness(engine::Recorder&, Fields&);  ///< of coarse faces: weights of the pressure equation
void recordWhiteColours(engine::Recorder&, Fields&);    ///< colours of smoke that had none until now
void recordJets(engine::Recorder&, Fields&, const Settings&, std::span<const EmitterSettings>, double time);  ///< velocity of emitters
void recordForces(engine::Recorder&, Fields&, const Settings&);                            ///< viscosity, vorticity, buoyancy
void recordDownsample(engine::Recorder&, Fields&, const Settings&);                        ///< fine divergence -> coarse right-hand side
void recordProject(engine::Recorder&, Fields&, const Settings&);                           ///< u -= grad q, upsampled; solids; local repair
void recordAdvect(engine::Recorder&, Fields&, const Settings&, const Kept&, double time);  ///< velocity and scalars along u
void recordSideFade(engine::Recorder&, Fields&, const Settings&,
                    glm::ivec3 scrolled);  ///< smoke fades before open sides, in a box that has gone so far in the step
void recordSources(engine::Recorder&, Fields&, const Settings&,
                   std::span<const EmitterSettings>);  ///< density, temperature, colours of emitters

void recordScroll(engine::Recorder&, Fields&, const Settings&, glm::ivec3 cells,
                  double time);  ///< the box has gone so far; nothing in it changes
void recordTracersAtStart(engine::Recorder&, Fields&, const Settings&);
void recordTracers(engine::Recorder&, Fields&, const Settings&, std::uint64_t step,
                   glm::ivec3 scrolled);  ///< along the projected velocity, in a box that has gone so far in the step
void recordPrescribed(engine::Recorder&, Fields&, const Settings&);  ///< the velocity that is given, instead of all before advection
void recordDeparturesAtStart(engine::Recorder&, Fields&);            ///< exact paths of a prescribed field ...
void recordDepartures(engine::Recorder&, Fields&, const Settings&);  ///< ... a step further back
void recordExact(engine::Recorder&, Fields&, const Settings&);       ///< the density at their ends

// Of a scene with liquid, instead of all from recordJets to recordSources:
void recordLiquidAtStart(engine::Recorder&, Fields&, const Settings&);  ///< particles of the initial shapes
void recordParticlesToGrid(engine::Recorder&, Fields&);                 ///< velocity on faces
void recordLiquidForces(engine::Recorder&, Fields&, const Settings&);   ///< gravity
void recordLiquidSurface(engine::Recorder&, Fields&, const Settings&);  ///< which cells are FLUID
void recordLiquidPressure(engine::Recorder&, Fields&, const Settings&,
                          const std::shared_ptr<std::vector<double>>& trace);  ///< solve, projection, extrapolation
void recordLiquidCrowding(engine::Recorder&, Fields&, const Settings&);        ///< crowded places widen
void recordGridToParticles(engine::Recorder&, Fields&, const Settings&);       ///< their velocity and their way
void recordLiquidSources(engine::Recorder&, Fields&, const Settings&, std::span<const EmitterSettings>,
                         std::uint64_t step);  ///< emitters; particles in the order of cells again

void recordStrokeVelocity(engine::Recorder&, Fields&, const StrokeSettings&, const Way&);  ///< what a stroke pushes along
void recordStrokeScalars(engine::Recorder&, Fields&, const StrokeSettings&, const Way&);   ///< density, temperature, colours that it leaves

/// Repeats the first texels of a field on fine faces past its last cells, along periodic axes; for who reads across the seam.
void recordWrapFaces(engine::Recorder&, const Fields&, const engine::Image& faces);

/// Solves A q = b from the last step's q. `trace`, if given, gets the relative residual before the solve and then after every
/// cycle or every ten sweeps (rarer if there would be more than a hundred) once the frame has run; this costs time.
void recordPressure(engine::Recorder&, Fields&, const Settings&, const std::shared_ptr<std::vector<double>>& trace = nullptr);

/// Measures the fine divergence that the projection has to remove, for the next recordMeasure.
void recordMeasureBefore(engine::Recorder&, Fields&);
/// Measures what the fluid does to each obstacle in the last step. Returns what is filled in once the frame has run.
std::shared_ptr<const std::vector<BodyForce>> recordBodyForces(engine::Recorder&, Fields&, const Settings&);
/// Measures the quality numbers of the last step. `deliver` is called once the frame has run. `knowsResidual`: a trace has left it.
void recordMeasure(engine::Recorder&, Fields&, const Settings&, bool knowsResidual, const std::function<void(const Quality&)>& deliver);

/// Records the sums of pressure_residual.comp into Record::Residual.
void recordResidual(engine::Recorder&, Fields&);
/// Folds the partial records of a reduction by `threads` into `into`.
void recordFold(engine::Recorder&, Fields&, glm::uvec3 threads, const engine::Buffer& into);

}  // namespace wisp
