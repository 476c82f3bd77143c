// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

/// Reads a report of `wisp bench`. @throws Failure Usage if the file cannot be read, is not valid JSON, or lacks a field of a report.
Json readReport(const std::filesystem::path& file);
/// Also accepts a report of `wisp bench --sweep`, which has the field "runs".
Json readReportOrSweep(const std::filesystem::path& file);

/// @throws Failure Usage that names the first field in which the header (see reportHeader) differs from the old report.
void requireComparable(const Json& old, const Json& header, const std::filesystem::path& file);

/// The time of a step, a frame or a pass, before and now.
struct Change {
    std::string name;
    double before = 0.0, now = 0.0;  ///< medians [ms]
    double percent = 0.0;            ///< positive: slower
    double p = 1.0;                  ///< p-value of the samples (see mannWhitney)
    bool matters = true;             ///< false for a pass that takes less than 2 % of the step
    /// True if it is slower by more than `threshold` percent and the difference is significant (p < 0.01).
    [[nodiscard]] bool isRegression(double threshold) const { return matters && percent > threshold && p < 0.01; }
};

/// The changes of all times that both reports contain: step and frame first, then passes in the order of the new report.
std::vector<Change> changesBetween(const Json& old, const Json& now);

/// Prints the changes and the passes that only one report contains. @throws Failure Failed if there is a regression.
void compareReports(const Json& old, const Json& now, double threshold);

}  // namespace wisp::app
