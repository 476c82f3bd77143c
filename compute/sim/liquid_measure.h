// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/liquid/liquid.h"
#include "compute/sim/quality.h"
#include "compute/sim/reduced.h"

namespace wisp {

/// What the passes that measure a liquid leave.
struct LiquidNumbers {
    Reduced particles{}, surface{};
    std::array<std::uint32_t, 4> gone{};  ///< see Liquid
};

/// Measures particles and surface into the liquid's records.
void recordLiquidMeasure(engine::Recorder&, const Domain&, const Flow&, const Liquid&, glm::vec3 gravity);
/// The quality numbers of a liquid, instead of smoke's.
void evaluateLiquid(Quality&, const LiquidNumbers&, const GridSettings&, std::uint32_t particlesPerCell);

}  // namespace wisp
