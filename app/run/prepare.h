// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "app/run/run_start.h"
#include "wisp/simulation.h"

#include <cstdint>
#include <vector>

namespace wisp::app {

// Parts of a run, in their order.

/// Sum of the rows of Simulation::plan [bytes].
std::uint64_t bytesOf(const std::vector<MemoryUse>& rows);

/// Completes the options. @throws Failure Usage for what the user may not have meant, or would lose.
void checkOptions(RenderOptions& options, const RunStart& start);
SimulationOptions simulationOptions(const RenderOptions& options, const RunStart& start);
/// Says what will be written, and what the scene probably does not mean.
void announce(const RenderOptions& options, const Scene& scene, const Device& device, const Log& log);

}  // namespace wisp::app
