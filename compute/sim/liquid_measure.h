// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/liquid/liquid.h"
#include "compute/sim/measure.h"

namespace wisp {

/// Measures the quality numbers of the last step of a liquid; see recordSmokeMeasure.
void recordLiquidMeasure(engine::Recorder&, const Domain&, const Flow&, PressureSystem&, const Liquid&, const Measures&, const Settings&,
                         bool knowsResidual, const DeliverQuality& deliver);

}  // namespace wisp
