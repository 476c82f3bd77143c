// SPDX-License-Identifier: MIT
// What is written over the picture in the window, and so in no screenshot or video.
#pragma once

#include "app/live/dock.h"
#include "compute/scene/settings.h"

#include <string>
#include <vector>

namespace wisp::app {

/// How fast the window is; 0: not known yet.
struct Pace {
    double frameSeconds = 0.0;  ///< from a picture to the next
    double stepMs = 0.0;        ///< GPU time of a step
    double pictureMs = 0.0;     ///< GPU time of a picture
};

/// The line at the bottom of the picture: pictures a second, times, cells, and the time of the simulation. It changes at most four times a
/// second: numbers that change faster cannot be read.
class StatusLine {
public:
    void update(const Pace& pace, glm::uvec3 cells, double time);
    void draw(const Area& area) const;
    /// Where the next text above it may end.
    [[nodiscard]] float top(const Area& area) const;

private:
    [[nodiscard]] std::vector<std::string> lines(const Area& area) const;
    double next_ = -1.0;    // text, by ImGui's clock [s]
    int pictures_ = -1;     // since the last text; the first has no picture before it
    double seconds_ = 0.0;  // that they took
    double perSecond_ = 0.0;
    std::vector<std::string> parts_;
};

/// What can be done with this scene, in one line.
std::string hintText(const Settings& settings);

/// That line, in sight from the start until something is done, at most 20 seconds.
class Hint {
public:
    static constexpr double kShown = 20.0, kFade = 1.0;  ///< [s]

    /// `used`: something is dragged or painted.
    void update(bool used, double elapsed);
    /// Ends at this height [screen coordinates].
    void draw(const Area& area, float bottom, const Settings& settings) const;
    [[nodiscard]] bool shown() const { return left_ > 0.0; }

private:
    double left_ = kShown;  // [s]
};

}  // namespace wisp::app
