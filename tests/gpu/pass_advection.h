// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/correction.h"
#include "shaders/shared/inflow.h"

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
};
struct VelocityCorrection {
    float keep;
    int correction;
};

}  // namespace wisp::test
