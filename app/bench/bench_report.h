// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/benchmark.h"

#include <string>

namespace wisp::app {

/// What must agree for two reports to be compared: device, driver, scene, grids, and the settings that say how much work a step and a
/// picture are.
Json reportHeader(const BenchOptions& options, const Settings& settings, const engine::Device& device);

/// The report of docs/performance.md: times with their samples, the work of passes, memory by resource, quality.
Json benchReport(const BenchResult& result, const BenchOptions& options, const Settings& settings, const engine::Device& device);

void printReport(const Json& report);       ///< passes sorted by time, the largest resources
std::string reportCsv(const Json& report);  ///< a line for the step, the frame and each pass

}  // namespace wisp::app
