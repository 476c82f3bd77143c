// SPDX-License-Identifier: MIT
#pragma once

#include "compute/smoke/push.h"
#include "shaders/shared/correction.h"

namespace wisp::test {

/// Ambient flow without gusts.
inline gpu::AmbientFlow evenAir(glm::vec3 wind) {
    gpu::AmbientFlow air{};
    air.wind = wind;
    return air;
}

}  // namespace wisp::test
