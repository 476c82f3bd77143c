// SPDX-License-Identifier: MIT
#include "app/live/history.h"

namespace wisp::app {
namespace {

Settings sized(Settings settings, glm::uvec2 pixels) {
    settings.render.size = pixels;
    return settings;
}

}  // namespace

void History::reset(const Settings& settings) {
    states_ = {settings};
    now_ = 0;
    pixels_ = settings.render.size;
}

void History::keep(const Settings& settings) {
    if (states_.empty()) return reset(settings);
    pixels_ = settings.render.size;
    if (sized(states_[now_], pixels_) == settings) return;
    states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(now_) + 1, states_.end());
    states_.push_back(settings);
    if (states_.size() > kMost + 1) states_.pop_front();
    now_ = states_.size() - 1;
}

std::optional<Settings> History::undo() { return now_ == 0 ? std::nullopt : std::optional(sized(states_[--now_], pixels_)); }

std::optional<Settings> History::redo() { return now_ + 1 >= states_.size() ? std::nullopt : std::optional(sized(states_[++now_], pixels_)); }

}  // namespace wisp::app
