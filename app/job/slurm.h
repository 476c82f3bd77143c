// SPDX-License-Identifier: MIT
#pragma once

#include "app/job/plan.h"

#include <string>

namespace wisp::app {

/// A batch script of Slurm. `bash FILE` submits its steps: one with values is an array of tasks. A task that failed for a reason that may
/// pass is requeued.
std::string slurmScript(const JobPlan& plan);

/// A word of a shell that has this text, in quotes if it needs them.
std::string shellQuoted(const std::string& text);

}  // namespace wisp::app
