// SPDX-License-Identifier: MIT
#include "app/live/quality_watch.h"

#include <algorithm>
#include <utility>

namespace wisp::app {
namespace {

constexpr double kTooLong = 1.1 * kFrameBudget;     // [ms]
constexpr double kShortFrame = 0.7 * kFrameBudget;  // [ms]
constexpr double kLongestFrame = 1.0;               // [s], limit of a frame time: a minimised window has no frames

}  // namespace

void QualityWatch::add(double elapsed, const std::vector<PassTime>& times) {
    const double counted = std::min(elapsed, kLongestFrame);
    age_ += counted;
    span_ += counted;
    if (span_ < 0.0) return;
    for (const PassTime& t : times) {
        if (!t.scope) continue;
        if (t.name == "step") stepMs_ += t.ms, stepCount_ += t.calls;
        if (t.name == "frame") pictureMs_ += t.ms, pictureCount_ += t.calls;
    }
    if (span_ >= kSpan && std::min(stepCount_, pictureCount_) >= kLeastFrames) look();
}

void QualityWatch::look() {
    seen_ = FrameTime{stepMs_ / stepCount_, pictureMs_ / pictureCount_};
    span_ = stepMs_ = pictureMs_ = 0.0;
    stepCount_ = pictureCount_ = 0;
}

std::optional<QualityWatch::Advice> QualityWatch::advice(const std::string& now) const {
    const auto at = std::ranges::find(levels_, now, &LevelCells::level);
    if (!seen_ || changes_ >= kMostChanges || age_ > kEarly || at == levels_.end()) return std::nullopt;
    const LevelTime measured{at->cells, *seen_};
    const double ms = frameMs(*seen_, steps_);
    if (ms > kTooLong && at != levels_.begin()) return Advice{chooseLevel({levels_.begin(), at}, steps_, {&measured, 1}).level, ms};
    const auto next = at + 1;
    if (next == levels_.end() || next->cells <= at->cells || (tooSlow_ && next->cells >= *tooSlow_)) return std::nullopt;
    if (frameMs(timeAt(next->cells, {&measured, 1}), steps_) > kShortFrame) return std::nullopt;
    return Advice{next->level, ms};
}

double QualityWatch::cellsAt(const std::string& level) const {
    const auto at = std::ranges::find(levels_, level, &LevelCells::level);
    return at == levels_.end() ? 0.0 : at->cells;
}

void QualityWatch::changed(const Advice& advice, const std::string& before) {
    if (cellsAt(advice.level) < cellsAt(before)) tooSlow_ = cellsAt(before);
    ++changes_;
    seen_.reset();
    span_ = -kSettle;
    stepMs_ = pictureMs_ = 0.0;
    stepCount_ = pictureCount_ = 0;
}

}  // namespace wisp::app
