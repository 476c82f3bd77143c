// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/correction.h"
#include "shaders/shared/inflow.h"
#include "shaders/shared/outside_air.h"

#include <glm/vec4.hpp>

/// Push constants of the passes that carry.
namespace wisp::test {

struct ScalarStep {
    glm::vec4 keep;
    gpu::InflowPush inflow{};  ///< of nothing
};
struct ScalarCorrection {
    glm::vec4 keep;
    int correction;
    glm::vec4 inflow{};  ///< of nothing
};
struct VelocityStep {
    float keep;
    gpu::OutsideAir air;
};
struct VelocityCorrection {
    float keep;
    int correction;
};

/// A wind without gusts.
inline gpu::OutsideAir evenAir(glm::vec3 wind) {
    gpu::OutsideAir air{};
    air.wind = wind;
    return air;
}

}  // namespace wisp::test
