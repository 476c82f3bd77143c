// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace wisp::app {

/// Undo and redo of settings.
class History {
public:
    static constexpr std::size_t kMost = 200;  ///< undo steps

    /// Clears the history; `settings` is the only state.
    void reset(const Settings& settings);
    /// Call when no edit is in progress. Adds an undo step if the settings have changed, and then discards the redo steps. Changes of
    /// `render.size` and `coloured` do not count.
    void keep(const Settings& settings);

    /// The previous or next settings; empty at the ends of the history.
    std::optional<Settings> undo();
    std::optional<Settings> redo();

private:
    std::deque<Settings> states_;
    std::size_t now_ = 0;
    Settings run_;  // settings of the last keep
};

}  // namespace wisp::app
