// SPDX-License-Identifier: MIT
// Text over the image in the window. Screenshots and videos do not show it.
#pragma once

#include "app/live/dock.h"
#include "compute/scene/settings.h"

#include <string>
#include <vector>

namespace wisp::app {

/// Speed of the window; 0: unknown.
struct Pace {
    double frameSeconds = 0.0;  ///< time between two frames
    double stepMs = 0.0;        ///< GPU time of a step
    double pictureMs = 0.0;     ///< GPU time of rendering a frame
};

/// Status line at the bottom of the image: frame rate, times, cells and simulation time. It changes at most four times per second, so that
/// the numbers can be read.
class StatusLine {
public:
    void update(const Pace& pace, glm::uvec3 cells, double time);
    void draw(const Area& area) const;
    /// Top edge of the status line.
    [[nodiscard]] float top(const Area& area) const;

private:
    [[nodiscard]] std::vector<std::string> lines(const Area& area) const;
    double next_ = -1.0;    // time of the next update, by ImGui's clock [s]
    int pictures_ = -1;     // frames since the last update; -1, because the first frame has no frame time
    double seconds_ = 0.0;  // duration of these frames
    double perSecond_ = 0.0;
    std::vector<std::string> parts_;
};

/// One line on what the user can do in this scene.
std::string hintText(const Settings& settings);

/// Shows hintText from the start until the first interaction, at most 20 s.
class Hint {
public:
    static constexpr double kShown = 20.0, kFade = 1.0;  ///< [s]

    /// `used`: the user drags or paints.
    void update(bool used, double elapsed);
    /// `bottom`: lower edge of the hint [screen coordinates].
    void draw(const Area& area, float bottom, const Settings& settings) const;
    [[nodiscard]] bool shown() const { return left_ > 0.0; }

private:
    double left_ = kShown;  // [s]
};

}  // namespace wisp::app
