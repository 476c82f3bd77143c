// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/motion.h"
#include "compute/smoke/decay.h"

#include <glm/ext/vector_int3_sized.hpp>

#include <cstdint>
#include <map>

namespace wisp {

/// What a simulation goes on from, besides its settings and Fields::state(): all else is made again from these, bit for bit.
struct RunState {
    std::uint64_t steps = 0;
    double timeBefore = 0.0;        ///< [s] at the last change of the time step
    std::uint64_t stepsBefore = 0;  ///< likewise
    Decay velocityDecay, densityDecay;
    bool exact = true;         ///< the density of a prescribed velocity has been left to itself, so that it is known
    glm::i64vec3 followed{0};  ///< cells that the box has gone after its target
    // Obstacles are where they were at the end of a step from `poseTime` that took `poseMotion` [s]; these were held by hand in it.
    double poseTime = 0.0, poseMotion = 0.0;
    std::map<std::size_t, MotionSegment> overrides;
};

}  // namespace wisp
