// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/scene.h"

#include <span>
#include <string>

/// Chooses the level of `--quality auto` from measured times, without a device. app/run/quality_probe.h measures the times.
namespace wisp::app {

inline constexpr double kFrameBudget = 16.0;  ///< [ms] for the steps and the image of a frame, at 60 frames per second

/// GPU time [ms].
struct FrameTime {
    double step = 0.0, picture = 0.0;
};

/// Number of velocity cells plus number of scalar cells, which determines the time at a level.
double cellCount(const Scene& scene);

struct LevelCells {
    std::string level;  ///< a name for Scene::setQuality
    double cells;
};

/// Measured time on one grid.
struct LevelTime {
    double cells;
    FrameTime time;
};

/// Number of steps per frame for real time at 60 frames per second, rounded up and limited to the maximum of the window. The time step [s]
/// is set by the scene and does not depend on the cell size, so all levels have the same number of steps.
double stepsOfFrame(double timeStep);
double frameMs(const FrameTime& time, double steps);

/// Predicted time on a grid with this number of cells. From one measured grid: proportional to the cells. This is too high for a finer grid
/// and too low for a coarser one, because part of the time (waits between passes, pixels of the image) does not depend on the cells. From
/// two measured grids, the coarser first: the straight line through both, which includes the constant part. The cost of rays is
/// proportional to the cells along an edge, so the line is an upper bound for the time of the image on a finer grid.
FrameTime timeAt(double cells, std::span<const LevelTime> measured);

struct QualityChoice {
    std::string level;
    double ms = 0.0;  ///< predicted time of a frame
};

/// The finest level that fits into kFrameBudget, or the coarsest if none fits. `levels`: the coarsest first, at least one.
QualityChoice chooseLevel(std::span<const LevelCells> levels, double steps, std::span<const LevelTime> measured);

/// A lower bound for the time of the steps of a frame [ms], from the trilinear samples per second of the device. 0 if that rate is unknown.
/// A step of the built-in scene `smoke` takes as long as 21 samples per cell on an NVIDIA H200 and 43 on Mesa lavapipe, whose speeds
/// differ by a factor of 1400 (docs/performance_log.md). The bound uses a quarter of the smaller number, so a device that exceeds the
/// budget with it is far too slow.
double leastFrameMs(double cells, double steps, double samplesPerSecond);

/// The time by device timestamps. Where a timestamp is 0 (unavailable), the time by the host clock from submit to completion.
FrameTime timestampsOr(const FrameTime& byTimestamps, const FrameTime& byClock);

/// Message about the chosen level. `how`: the time, such as "about 9 ms".
std::string choiceText(const std::string& level, const std::string& how, const std::string& device);

}  // namespace wisp::app
