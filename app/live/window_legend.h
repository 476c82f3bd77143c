// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/dock.h"
#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "wisp/renderer.h"

#include <array>
#include <optional>

namespace wisp::app {

/// Legend of a field view, drawn at the resolution of the window. Its limits are read back from the GPU two frames late.
class WindowLegend {
public:
    /// Records the readback of the limits of the last picture of `renderer`, which was drawn with `settings`.
    void read(engine::Recorder& rec, const Renderer& renderer, const Settings& settings);
    /// Draws over the image, which fills `area`, and behind the panels of the current ImGui frame. Draws nothing until the limits of this
    /// view have been read back.
    void draw(const Settings& settings, double time, const Area& area) const;

private:
    struct Found {
        ViewSettings view;
        FieldLegend legend;
        std::array<float, 4> range{};  ///< as FetchedPicture::range
    };
    std::optional<Found> found_;
};

}  // namespace wisp::app
