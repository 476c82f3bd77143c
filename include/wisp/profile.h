// SPDX-License-Identifier: MIT
#ifndef WISP_PROFILE_H
#define WISP_PROFILE_H

#include <cstdint>
#include <string>

namespace wisp {

/// GPU time of a pass in one submit: the sum over its dispatches. Of a scope, such as "step", the time from its begin to its end.
struct PassTime {
    std::string name;           ///< see docs/passes.md
    std::uint32_t calls = 0;    ///< number of dispatches
    double ms = 0.0;            ///< [ms]
    bool scope = false;         ///< a scope, which contains passes
    std::uint64_t threads = 0;  ///< invocations; 0 for a transfer
    std::uint64_t bytes = 0;    ///< least memory traffic that the pass needs, see docs/performance.md
};

}  // namespace wisp

#endif
