// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/slot_plan.h"
#include "compute/pressure/cycle_plan.h"
#include "compute/scene/motion.h"
#include "compute/smoke/decay.h"

#include <glm/ext/vector_int3_sized.hpp>

#include <cstdint>
#include <map>

namespace wisp {

/// State of a run, for a checkpoint. A simulation resumes from its settings, RunState and Fields::state(); the result is bit-identical.
struct RunState {
    std::uint64_t steps = 0;
    double timeBefore = 0.0;        ///< time at the last change of the time step [s]
    std::uint64_t stepsBefore = 0;  ///< number of steps at the last change of the time step
    Decay velocityDecay, densityDecay;
    bool exact = true;         ///< only the prescribed velocity has changed the density, so the exact density is known
    glm::i64vec3 followed{0};  ///< cells by which the box has moved to follow its target
    // Obstacles have their positions at the end of a step, or of a part of one, that started at `poseTime` [s] and took `poseMotion` [s].
    // `overrides` replaced the motion of obstacles in it.
    double poseTime = 0.0, poseMotion = 0.0;
    std::map<std::size_t, MotionSegment> overrides;
    SlotPlan slots;    ///< of a sparse simulation; its uses are known after Recorder::finish
    CyclePlan cycles;  ///< of pressure.iterations = "auto"; its residuals are known after Recorder::finish
};

}  // namespace wisp
