// SPDX-License-Identifier: MIT
#include "app/run/quality_choice.h"

#include "app/base/scene_cells.h"
#include "app/run/fixed_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wisp::app {
namespace {

constexpr double kFramesPerSecond = 60.0;
constexpr double kLeastSamplesPerCell = 5.0;  // see leastFrameMs

double count(const Cells& cells) { return static_cast<double>(cells[0]) * cells[1] * cells[2]; }

}  // namespace

double cellCount(const Scene& scene) {
    const SceneCells cells(scene);
    return count(cells.velocity) + count(cells.scalars);
}

double stepsOfFrame(double timeStep) {
    // The tolerance keeps 2 steps for a time step of 1/120 s rounded to float.
    const double steps = std::ceil(1.0 / (kFramesPerSecond * timeStep) - 1e-6);
    return std::clamp(steps, 1.0, static_cast<double>(FixedStep(1.0).most));
}

double frameMs(const FrameTime& time, double steps) { return steps * time.step + time.picture; }

FrameTime timeAt(double cells, std::span<const LevelTime> measured) {
    assert(!measured.empty());
    const LevelTime &coarse = measured.front(), &fine = measured.back();
    if (fine.cells <= coarse.cells) return {coarse.time.step * cells / coarse.cells, coarse.time.picture * cells / coarse.cells};
    const double along = (cells - fine.cells) / (fine.cells - coarse.cells);
    // Measurement noise can make the finer grid faster. The slope is therefore clamped to 0.
    const auto onLine = [along](double a, double b) { return b + along * std::max(b - a, 0.0); };
    return {onLine(coarse.time.step, fine.time.step), onLine(coarse.time.picture, fine.time.picture)};
}

QualityChoice chooseLevel(std::span<const LevelCells> levels, double steps, std::span<const LevelTime> measured) {
    assert(!levels.empty());
    const auto choice = [&](const LevelCells& l) { return QualityChoice{l.level, frameMs(timeAt(l.cells, measured), steps)}; };
    QualityChoice best = choice(levels.front());
    for (const LevelCells& level : levels.subspan(1))
        if (const QualityChoice finer = choice(level); finer.ms <= kFrameBudget) best = finer;
    return best;
}

double leastFrameMs(double cells, double steps, double samplesPerSecond) {
    return samplesPerSecond > 0.0 ? 1e3 * steps * cells * kLeastSamplesPerCell / samplesPerSecond : 0.0;
}

FrameTime timestampsOr(const FrameTime& byTimestamps, const FrameTime& byClock) {
    return {byTimestamps.step > 0.0 ? byTimestamps.step : byClock.step,
            byTimestamps.picture > 0.0 ? byTimestamps.picture : byClock.picture};
}

std::string choiceText(const std::string& level, const std::string& how, const std::string& device) {
    return fmt::format("quality: {} (a frame takes {} on {}; --quality sets it)", level, how, device);
}

}  // namespace wisp::app
