// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace wisp {

/// A problem that `validate` has found. `key` is the path in a scene file, such as "emitter[0].radius".
struct Problem {
    std::string key;
    std::string message;  ///< the value found and the values allowed
    /// Other tables or keys that the problem depends on. If one of them has a problem already, this one need not be reported.
    std::vector<std::string> with = {};
};

}  // namespace wisp
