// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace wisp::app {

/// Settings as they were, to go back to and forth.
class History {
public:
    static constexpr std::size_t kMost = 200;  ///< steps back

    /// Begins anew with these.
    void reset(const Settings& settings);
    /// Settings are at rest: if they have changed, that is a step, and what had been undone is gone. The size of the window's
    /// picture is no change, nor that smoke may be coloured.
    void keep(const Settings& settings);

    /// The settings before the last step, or after the next; none at the ends.
    std::optional<Settings> undo();
    std::optional<Settings> redo();

private:
    std::deque<Settings> states_;
    std::size_t now_ = 0;
    Settings run_;  // as kept last
};

}  // namespace wisp::app
