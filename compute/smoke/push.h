// SPDX-License-Identifier: MIT
// Push constants of the passes that move smoke, as their shaders declare them after the buffer addresses.
#pragma once

#include "engine/members.h"
#include "shaders/shared/inflow.h"
#include "shaders/shared/outside_air.h"

namespace wisp {

struct ForcesPush {
    glm::vec3 down;
    float buoyancy, weight, epsilon;
};
WISP_MEMBERS(ForcesPush, down, buoyancy, weight, epsilon)

struct VelocityStep {  // keep: decay factor exp(-rate dt)
    float keep;
    gpu::OutsideAir air;
};
WISP_MEMBERS(VelocityStep, keep, air)

struct VelocityCorrection {
    float keep;
    int correction;  ///< see shaders/shared/correction.h
};
WISP_MEMBERS(VelocityCorrection, keep, correction)

struct ScalarStep {
    glm::vec4 keep;
    gpu::InflowPush inflow{};  ///< default: no smoke
};
WISP_MEMBERS(ScalarStep, keep, inflow)

struct ScalarCorrection {
    glm::vec4 keep;
    int correction;
    glm::vec4 inflow{};  ///< default: no smoke
};
WISP_MEMBERS(ScalarCorrection, keep, correction, inflow)

struct UpwindStep {
    glm::vec4 keep;
    float dt;
    gpu::InflowPush inflow;
};
WISP_MEMBERS(UpwindStep, keep, dt, inflow)

}  // namespace wisp
