// SPDX-License-Identifier: MIT
#include "app/live/history.h"

namespace wisp::app {
namespace {

/// `settings` with the values that belong to the run, not to the scene.
Settings asOf(Settings settings, const Settings& run) {
    settings.render.size = run.render.size;
    settings.coloured = run.coloured;
    return settings;
}

}  // namespace

void History::reset(const Settings& settings) {
    states_ = {settings};
    now_ = 0;
    run_ = settings;
}

void History::keep(const Settings& settings) {
    if (states_.empty()) return reset(settings);
    run_ = settings;
    if (asOf(states_[now_], run_) == settings) return;
    states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(now_) + 1, states_.end());
    states_.push_back(settings);
    if (states_.size() > kMost + 1) states_.pop_front();
    now_ = states_.size() - 1;
}

std::optional<Settings> History::undo() { return now_ == 0 ? std::nullopt : std::optional(asOf(states_[--now_], run_)); }

std::optional<Settings> History::redo() { return now_ + 1 >= states_.size() ? std::nullopt : std::optional(asOf(states_[++now_], run_)); }

}  // namespace wisp::app
