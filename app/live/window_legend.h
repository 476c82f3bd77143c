// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/dock.h"
#include "compute/picture/picture.h"
#include "engine/recorder.h"

#include <memory>
#include <optional>

namespace wisp::app {

/// The legend of a field in a window, sharp however few pixels the picture has. Its limits come from the GPU two pictures late.
class WindowLegend {
public:
    /// Records the reading of what a picture of `settings` has found.
    void read(engine::Recorder& rec, const Picture& picture, const Settings& settings);
    /// Over the picture, which fills the `area`, and behind the panels of the current ImGui frame; nothing until the limits of that view
    /// are there.
    void draw(const Settings& settings, double time, const Area& area) const;

private:
    struct Found {
        ViewSettings view;
        gpu::ViewLimits limits{};
    };
    std::optional<Found> found_;
};

}  // namespace wisp::app
