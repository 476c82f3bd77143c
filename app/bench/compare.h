// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

/// A report that `wisp bench` wrote. @throws Failure Usage if it cannot be read, is no JSON, or lacks what reports have.
Json readReport(const std::filesystem::path& file);
/// The same, or one that `wisp bench --sweep` wrote: it has "runs".
Json readReportOrSweep(const std::filesystem::path& file);

/// @throws Failure Usage that names the first thing in which the header (see reportHeader) is another one.
void requireComparable(const Json& old, const Json& header, const std::filesystem::path& file);

/// The time of a step, a frame or a pass, before and now.
struct Change {
    std::string name;
    double before = 0.0, now = 0.0;  ///< medians [ms]
    double percent = 0.0;            ///< more than 0: slower
    double p = 1.0;                  ///< of the samples (see mannWhitney)
    bool matters = true;             ///< a pass of less than 2 % of the step does not
    /// Whether it became slower by more than `threshold` percent, and not by chance (p < .01).
    [[nodiscard]] bool isRegression(double threshold) const { return matters && percent > threshold && p < 0.01; }
};

/// What both reports have: step and frame first, then passes in the new one's order.
std::vector<Change> changesBetween(const Json& old, const Json& now);

/// Prints them, and what only one of the reports has. @throws Failure Failed if there is a regression.
void compareReports(const Json& old, const Json& now, double threshold);

}  // namespace wisp::app
