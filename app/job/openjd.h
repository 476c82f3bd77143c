// SPDX-License-Identifier: MIT
#pragma once

#include "app/job/plan.h"

#include <string>

namespace wisp::app {

/// A job template of Open Job Description, version 2023-09, without extensions, in YAML. The specification has no retries: a script in the
/// template starts a task again that failed for a reason that may pass.
/// @throws Failure Usage if a step has more tasks than a list of values may have.
std::string openjdTemplate(const JobPlan& plan);

}  // namespace wisp::app
