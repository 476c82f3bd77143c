// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/quality_choice.h"
#include "wisp/profile.h"

#include <optional>
#include <vector>

namespace wisp::app {

/// Checks the level that `--quality auto` has chosen, from the frame times of the window. A change of the level restarts the scene. So
/// there are at most kMostChanges changes, only within kEarly after the start of the scene. The level goes down if a frame takes more
/// than 1.1 kFrameBudget. It goes up by one if the finer level would take at most 0.7 kFrameBudget, assuming that the time grows with the
/// number of cells. It never returns to a level that was too slow.
class QualityWatch {
public:
    static constexpr double kSettle = 1.5;  ///< [s] after a start that are ignored: pipelines are created, memory pages are touched
    static constexpr double kSpan = 4.0;    ///< [s] of times for one evaluation
    static constexpr double kEarly = 30.0;  ///< [s] after the start of the scene; later the level does not change
    static constexpr std::uint32_t kMostChanges = 2, kLeastFrames = 4;

    /// @param levels possible levels of the scene, coarsest first; with fewer than two the level never changes
    /// @param steps steps per frame, see stepsOfFrame
    QualityWatch(std::vector<LevelCells> levels, double steps) : levels_(std::move(levels)), steps_(steps) {}

    /// Adds a frame, `elapsed` seconds after the previous one, and the times of the scopes "step" and "frame" completed since then.
    void add(double elapsed, const std::vector<PassTime>& times);

    struct Advice {
        std::string level;
        double ms;  ///< frame time at the current level
    };
    /// A better level than `now`, if any. The advice stays the same until `changed` is called or newer times are evaluated.
    [[nodiscard]] std::optional<Advice> advice(const std::string& now) const;
    /// Call when the scene restarts at the level of `advice`.
    void changed(const Advice& advice, const std::string& before);

private:
    void look();
    [[nodiscard]] double cellsAt(const std::string& level) const;
    std::vector<LevelCells> levels_;
    double steps_;
    double age_ = 0.0;                       // [s] since the start of the scene
    double span_ = -kSettle;                 // [s] covered by the sums below
    double stepMs_ = 0.0, pictureMs_ = 0.0;  // sums
    std::uint32_t stepCount_ = 0, pictureCount_ = 0;
    std::optional<FrameTime> seen_;  // means of the last complete span
    std::uint32_t changes_ = 0;
    std::optional<double> tooSlow_;  // cells of a level
};

}  // namespace wisp::app
