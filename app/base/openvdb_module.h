// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wisp::app {

/// Why OpenVDB cannot be used; empty: it can. Loads it, with the first call.
std::string openVdbProblem();
/// A function of the module of app/openvdb, which must be usable.
void* openVdbFunction(const char* name);

}  // namespace wisp::app
