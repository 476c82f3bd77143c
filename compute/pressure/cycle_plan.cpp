// SPDX-License-Identifier: MIT
#include "compute/pressure/cycle_plan.h"

#include <algorithm>
#include <cmath>

namespace wisp {

std::uint32_t CyclePlan::next(std::uint64_t step, double tolerance) {
    const auto isOld = [&](const Solve& s) { return s.step + kDelay <= step; };
    for (const Solve& s : traced_)
        // Without residuals the GPU has not finished: the caller records long frames.
        if (isOld(s) && s.residuals && s.residuals->size() > 1) cycles_ = cyclesFor(*s.residuals, tolerance);
    std::erase_if(traced_, isOld);
    return cycles_;
}

std::uint32_t cyclesFor(const Residuals& residuals, double tolerance) {
    const std::size_t cycles = residuals.size() - 1;
    const double last = residuals[cycles], before = residuals[cycles - 1];
    double wanted = static_cast<double>(cycles);
    if (last > tolerance) {
        // Assumes that further cycles reduce the residual as much as the last cycle did.
        const double more = before > last ? std::log(last / tolerance) / std::log(before / last) : 1.0;
        wanted += std::max(std::ceil(more), 1.0);
    } else if (cycles > 1 && before <= 0.5 * tolerance) {
        wanted -= 1.0;
    }
    return static_cast<std::uint32_t>(std::min(wanted, static_cast<double>(CyclePlan::kMax)));
}

}  // namespace wisp
