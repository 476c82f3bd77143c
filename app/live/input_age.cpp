// SPDX-License-Identifier: MIT
#include "app/live/input_age.h"

#include <utility>

namespace wisp::app {

void InputAge::polled(double now, bool any) {
    const double before = std::exchange(lastPoll_, now);
    if (std::exchange(polled_, true) && any && !oldest_) oldest_ = before;
}

void InputAge::submitted(std::uint64_t serial) {
    if (const auto since = std::exchange(oldest_, std::nullopt)) waiting_.push_back({serial, *since});
}

std::vector<double> InputAge::presented(std::uint64_t completed, double now) {
    std::vector<double> ages;
    for (; !waiting_.empty() && waiting_.front().serial <= completed; waiting_.pop_front()) ages.push_back(now - waiting_.front().since);
    return ages;
}

}  // namespace wisp::app
