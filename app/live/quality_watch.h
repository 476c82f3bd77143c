// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/quality_choice.h"
#include "engine/frame_timer.h"

#include <optional>
#include <vector>

namespace wisp::app {

/// Whether the level that `--quality auto` chose was right, from the times of a window's frames. A change of level begins the scene again,
/// so there are two at most, soon after the scene's begin, and none without a clear reason: a level goes down where a frame takes more than
/// kFrameBudget by a tenth, and up by one where the finer one would take 7 tenths of it even if its time grew with its cells; never back to
/// one that was too slow.
class QualityWatch {
public:
    static constexpr double kSettle = 1.5;  ///< [s] after a begin that are left out: pipelines are made, pages touched
    static constexpr double kSpan = 4.0;    ///< [s] of times for one look
    static constexpr double kEarly = 30.0;  ///< [s] after the scene's begin; then its level stays
    static constexpr std::uint32_t kMostChanges = 2, kLeastFrames = 4;

    /// @param levels that the scene can run at, the coarsest first; of fewer than two there is nothing to watch
    /// @param steps of a frame, see stepsOfFrame
    QualityWatch(std::vector<LevelCells> levels, double steps) : levels_(std::move(levels)), steps_(steps) {}

    /// A frame that ran, `elapsed` seconds after the one before, and the times of what has finished since: scopes "step" and "frame".
    void add(double elapsed, const std::vector<engine::PassTime>& times);

    struct Advice {
        QualityLevel level;
        double ms;  ///< that a frame took at the level of now
    };
    /// What is better than `now`, if there is such. It is given again until `changed` is called, or newer times say otherwise.
    [[nodiscard]] std::optional<Advice> advice(QualityLevel now) const;
    /// The scene begins again at another level by that advice.
    void changed(const Advice& advice, QualityLevel before);

private:
    void look();
    std::vector<LevelCells> levels_;
    double steps_;
    double age_ = 0.0;                       // [s] since the scene's begin
    double span_ = -kSettle;                 // [s] of the times that follow
    double stepMs_ = 0.0, pictureMs_ = 0.0;  // sums
    std::uint32_t stepCount_ = 0, pictureCount_ = 0;
    std::optional<FrameTime> seen_;  // means of the last whole span
    std::uint32_t changes_ = 0;
    std::optional<QualityLevel> tooSlow_;
};

}  // namespace wisp::app
