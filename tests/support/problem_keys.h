// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/scene/validate.h"

#include <string>
#include <vector>

namespace wisp::test {

/// The keys that problems name, in their order.
inline std::vector<std::string> keysOf(const std::vector<Problem>& problems) {
    std::vector<std::string> keys;
    for (const Problem& p : problems) keys.push_back(p.key);
    return keys;
}

/// The keys of settings that `validate` refuses.
inline std::vector<std::string> keysOf(const Settings& settings) { return keysOf(validate(settings)); }

}  // namespace wisp::test
