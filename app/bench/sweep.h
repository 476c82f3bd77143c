// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/key_values.h"
#include "app/base/scene_cells.h"
#include "app/bench/options.h"
#include "app/output/report.h"

namespace wisp::app {

/// KEY is a scene key, or `cells` for the number of cells along the longest edge.
using Sweep = KeyValues;
/// @throws Failure Usage
Sweep parseSweep(const std::string& text);

/// The scene options with this value, of a scene with `unswept` cells. @throws Failure Usage if a value of `cells` does not keep the
/// proportions of the scene's grid.
LoadOptions sweptOptions(const LoadOptions& options, const Sweep& sweep, const std::string& value, const Cells& unswept);

/// Runs a benchmark for every value, prints a table and writes `--json`. Runs that do not fit into memory are skipped with a message.
void runSweep(const BenchOptions& options, const Log& log);

}  // namespace wisp::app
