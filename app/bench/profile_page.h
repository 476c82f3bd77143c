// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/report.h"

#include <string>
#include <vector>

namespace wisp::app {

/// A page that needs nothing else: times and roofline and memory of the newest report, how reports (the oldest first) changed, how a
/// sweep grows. HTML that is XML, too. At least one report, as readReportOrSweep gives them.
std::string profilePage(const std::vector<Json>& reports);

}  // namespace wisp::app
