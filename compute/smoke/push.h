// SPDX-License-Identifier: MIT
// Push constants of the passes that move smoke, as their shaders declare them after the buffer addresses.
#pragma once

#include "engine/members.h"
#include "shaders/shared/ambient_flow.h"
#include "shaders/shared/inflow.h"

namespace wisp {

struct ForcesPush {
    glm::vec3 down;
    float buoyancy, weight, epsilon;
    float ambient;  ///< [K], read only in scenes with fuel
};
WISP_MEMBERS(ForcesPush, down, buoyancy, weight, epsilon, ambient)

struct AdvectVelocityPush {  // keep: decay factor exp(-rate dt)
    float keep;
    gpu::AmbientFlow air;
};
WISP_MEMBERS(AdvectVelocityPush, keep, air)

struct CorrectVelocityPush {
    float keep;
    int correction;  ///< see shaders/shared/correction.h
};
WISP_MEMBERS(CorrectVelocityPush, keep, correction)

struct AdvectScalarsPush {
    glm::vec4 keep;
    gpu::InflowPush inflow{};  ///< default: no smoke
};
WISP_MEMBERS(AdvectScalarsPush, keep, inflow)

struct CorrectScalarsPush {
    glm::vec4 keep;
    int correction;
    glm::vec4 inflow{};  ///< default: no smoke
};
WISP_MEMBERS(CorrectScalarsPush, keep, correction, inflow)

struct FreshCellsPush {
    glm::ivec3 first;
    int layers;
};
WISP_MEMBERS(FreshCellsPush, first, layers)

struct UpwindPush {
    glm::vec4 keep;
    float dt;
    gpu::InflowPush inflow;
};
WISP_MEMBERS(UpwindPush, keep, dt, inflow)

}  // namespace wisp
