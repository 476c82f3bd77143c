// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/benchmark.h"

#include <string>

namespace wisp::app {

/// The first fields of a report: device, driver, scene, grids, and the settings that determine the work of a step and an image. Two
/// reports are comparable if these fields are equal (see requireComparable). The header also contains the version of wisp, which may
/// differ.
Json reportHeader(const BenchOptions& options, const Scene& scene, const Device& device);

/// The report described in docs/performance.md: times with their samples, work per pass, memory per resource, quality.
Json benchReport(const BenchResult& result, const BenchOptions& options, const Scene& scene, const Device& device);

void printReport(const Json& report);       ///< prints passes sorted by time and the largest resources
std::string reportCsv(const Json& report);  ///< one line each for the step, the frame and every pass

}  // namespace wisp::app
