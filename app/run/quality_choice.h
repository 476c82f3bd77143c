// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene.h"

#include <span>
#include <string>

/// Which level of the grid `--quality auto` takes: from times to a level, without a device. app/run/quality_probe.h measures the times.
namespace wisp::app {

inline constexpr double kFrameBudget = 16.0;  ///< [ms] for the steps and the picture of a frame: a display shows 60 a second

/// GPU time [ms].
struct FrameTime {
    double step = 0.0, picture = 0.0;
};

/// What decides the time at a level: cells of velocity and cells of scalars, together.
double cellsOf(const GridSettings& grid);

struct LevelCells {
    QualityLevel level;
    double cells;
};

/// Of a grid that was measured.
struct LevelTime {
    double cells;
    FrameTime time;
};

/// Steps of a frame that keep real time at 60 frames a second, rounded up, and as many as the window does at most. The length of a step [s]
/// is the scene's own: it does not shrink with the cells, so no level has more steps than another.
double stepsOfFrame(float timeStep);
double frameMs(const FrameTime& time, double steps);

/// Time on a grid of so many cells. Of one measured grid: in proportion to the cells, which is more than a finer grid takes and less than a
/// coarser one does, since part of a step (waits between passes, the pixels of the picture) does not depend on the cells. Of two, the
/// coarser first: the straight line through both, which has that part. A picture's rays grow with the cells along an edge only, so the line
/// is no less than its time on a finer grid.
FrameTime timeAt(double cells, std::span<const LevelTime> measured);

struct QualityChoice {
    QualityLevel level = QualityLevel::Preview;
    double ms = 0.0;  ///< of a frame there
};

/// The finest level that fits into kFrameBudget; if none does the coarsest. `levels`: the coarsest first, at least one.
QualityChoice chooseLevel(std::span<const LevelCells> levels, double steps, std::span<const LevelTime> measured);

/// A bound from below for the time of a frame's steps [ms], from the trilinear samples that the device takes a second; 0 if that is not
/// known. A step of the built-in `smoke` takes as long as 21 samples a cell on an NVIDIA H200 and as 43 on Mesa lavapipe, whose speeds
/// differ by a factor of 1400 (docs/performance_log.md). A quarter of the less: what is above the budget with this is far above it.
double leastFrameMs(double cells, double steps, double samplesPerSecond);

/// The time by timestamps of the device; where they say nothing (0) that by the host's clock, from submitting to the end.
FrameTime timestampsOr(const FrameTime& byTimestamps, const FrameTime& byClock);

/// What is said of a choice; `how`: "about 9 ms", say.
std::string choiceText(QualityLevel level, const std::string& how, const std::string& device);

}  // namespace wisp::app
