// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace wisp {

/// The present on the clock of traces [ns, std::chrono::steady_clock].
inline std::int64_t steadyNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace wisp
