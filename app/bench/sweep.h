// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/options.h"
#include "app/output/report.h"

namespace wisp::app {

/// "KEY=V1,V2,...": KEY is a scene key, or `cells` for cells along the longest edge. Commas within brackets belong to a value.
struct Sweep {
    std::string key;
    std::vector<std::string> values;
};
/// @throws Failure Usage
Sweep parseSweep(const std::string& text);

/// The scene's options with this value. @throws Failure Usage, for `cells` that would change the proportions of the scene's grid.
SceneOptions sweptOptions(const SceneOptions& options, const Sweep& sweep, const std::string& value, const Settings& unswept);

/// A benchmark for every value; prints a table and writes `--json`. What does not fit is skipped, and says so.
void runSweep(const BenchOptions& options, const Log& log);

}  // namespace wisp::app
