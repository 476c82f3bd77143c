// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/report.h"

#include <string>
#include <vector>

namespace wisp::app {

/// A self-contained page: times, roofline and memory of the newest report, the history of all reports (oldest first), and the growth of
/// sweeps. The HTML is also valid XML. `reports` must contain at least one report from readReportOrSweep.
std::string profilePage(const std::vector<Json>& reports);

}  // namespace wisp::app
