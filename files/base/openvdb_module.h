// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wisp {

/// Why OpenVDB cannot be used; empty: it can. Loads it, with the first call.
std::string openVdbProblem();
/// A function of the module of files/openvdb, which must be usable.
void* openVdbFunction(const char* name);

}  // namespace wisp
