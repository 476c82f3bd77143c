// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/scene.h"

#include <cstddef>
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

/// Time of pictures with equal views [ms]: a part that does not depend on the pixels, such as light volumes, and a part for each pixel.
struct PictureTime {
    double fixed = 0.0, perPixel = 0.0;
    [[nodiscard]] double ms(double pixels) const { return fixed + perPixel * pixels; }
};

struct PixelTime {
    double pixels, ms;
};
/// From a picture with fewer and one with more pixels.
PictureTime pictureTime(const PixelTime& fewer, const PixelTime& more);

/// As timeAt, for a device that is too slow for 60 frames per second, where most of the time is that of pictures. Their rays cross a number
/// of cells proportional to those along an edge, so the time of a picture is on a straight line over this number. From one measured grid
/// it is as measured, which is too low for a finer grid.
FrameTime slowTimeAt(double cells, std::span<const LevelTime> measured);

inline constexpr double kFilmLimit = 300.0;  ///< [s] for a film on a CPU device whose level is chosen

/// A film whose level is chosen.
struct FilmWork {
    double steps = 0.0, pictures = 0.0, pixels = 0.0;  ///< numbers of the film, and of a picture
    double limit = kFilmLimit;                         ///< [s]
    bool asked = false;                                ///< the level is chosen because --quality auto was given
    bool shrinks = false;                              ///< it may get smaller pictures and fewer frames
    std::string level;                                 ///< the only one; empty: it is chosen
};
double filmSeconds(const FilmWork& film, const FrameTime& time);

/// Whether a film stays below its limit on any CPU, so that no measurement is needed: also on one that is ten times slower than Mesa
/// lavapipe on two cores, which takes 0.15 us per cell of a step and 5 us per pixel (docs/performance_log.md).
bool isShortFilm(const FilmWork& film, double cells);

struct FilmChoice {
    std::string level;
    FrameTime time;  ///< predicted
};

/// The finest level at which a film is predicted to stay below its limit, or the coarsest if there is none.
FilmChoice chooseFilmLevel(std::span<const LevelCells> levels, const FilmWork& film, std::span<const LevelTime> measured);

/// A film that is made smaller and then shorter until it stays below its limit.
struct FilmFit {
    double scale = 1.0;      ///< of the edges of pictures: 1, 3/4, 1/2, 3/8 or 1/4
    std::size_t frames = 0;  ///< at least 1
};
FilmFit fitFilm(const FilmWork& film, double stepMs, const PictureTime& picture);
FilmWork shrunk(const FilmWork& film, const FilmFit& fit);

/// A lower bound for the time of the steps of a frame [ms], from the trilinear samples per second of the device. 0 if that rate is unknown.
/// A step of the built-in scene `smoke` takes as long as 21 samples per cell on an NVIDIA H200 and 43 on Mesa lavapipe, whose speeds
/// differ by a factor of 1400 (docs/performance_log.md). The bound uses a quarter of the smaller number, so a device that exceeds the
/// budget with it is far too slow.
double leastFrameMs(double cells, double steps, double samplesPerSecond);

/// The time by device timestamps. Where a timestamp is 0 (unavailable), the time by the host clock from submit to completion.
FrameTime timestampsOr(const FrameTime& byTimestamps, const FrameTime& byClock);

std::string timeText(double ms);  ///< such as "about 9.3 ms", "about 1.2 s" or "about 4 min"

/// Message about the chosen level. `how`: the time, such as "about 9 ms"; for a film "about 1.2 s, the film about 4 min,".
std::string choiceText(const std::string& level, const std::string& how, const std::string& device);

}  // namespace wisp::app
