// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace wisp {

/// Something that `validate` objects to. `key` is the path in a scene file, such as "emitter[0].radius".
struct Problem {
    std::string key;
    std::string message;                 ///< what was found and what is allowed
    std::vector<std::string> with = {};  ///< tables or keys whose values have a part in it: if those are wrong already, this is no news
};

}  // namespace wisp
