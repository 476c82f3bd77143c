// SPDX-License-Identifier: MIT
#include "app/run/fixed_step.h"

#include <algorithm>
#include <cmath>

namespace wisp::app {

std::uint32_t FixedStep::advance(double elapsed) {
    const double requested = std::max(elapsed, 0.0) * speed;
    due_ += requested;
    const auto steps = static_cast<std::uint32_t>(std::min(std::floor(due_ / step_ + 1e-9), static_cast<double>(most)));
    due_ = std::max(due_ - steps * step_, 0.0);
    const double lost = due_ >= step_ ? due_ - std::fmod(due_, step_) : 0.0;
    due_ -= lost;
    if (requested > 0.0) {
        const double share = std::clamp(1.0 - lost / requested, 0.0, 1.0);
        pace_ += (share - pace_) * std::min(elapsed / 0.5, 1.0);  // moving average over 0.5 s
    }
    return steps;
}

}  // namespace wisp::app
