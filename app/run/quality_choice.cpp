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
constexpr double kSlowestCell = 1.5e-3;       // [ms] see isShortFilm
constexpr double kSlowestPixel = 50e-3;       // [ms]

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

PictureTime pictureTime(const PixelTime& fewer, const PixelTime& more) {
    if (more.pixels <= fewer.pixels) return {0.0, more.ms / more.pixels};
    // Measurement noise can make the smaller picture slower. Both parts are at least 0.
    const double perPixel = std::clamp((more.ms - fewer.ms) / (more.pixels - fewer.pixels), 0.0, more.ms / more.pixels);
    return {more.ms - perPixel * more.pixels, perPixel};
}

FrameTime slowTimeAt(double cells, std::span<const LevelTime> measured) {
    FrameTime time = timeAt(cells, measured);
    const LevelTime &coarse = measured.front(), &fine = measured.back();
    if (fine.cells <= coarse.cells) {
        time.picture = coarse.time.picture;
        return time;
    }
    const double along = (std::cbrt(cells) - std::cbrt(fine.cells)) / (std::cbrt(fine.cells) - std::cbrt(coarse.cells));
    time.picture = fine.time.picture + along * std::max(fine.time.picture - coarse.time.picture, 0.0);
    return time;
}

double filmSeconds(const FilmWork& film, const FrameTime& time) { return 1e-3 * (film.steps * time.step + film.pictures * time.picture); }

bool isShortFilm(const FilmWork& film, double cells) {
    return filmSeconds(film, {kSlowestCell * cells, kSlowestPixel * film.pixels}) <= film.limit;
}

FilmChoice chooseFilmLevel(std::span<const LevelCells> levels, const FilmWork& film, std::span<const LevelTime> measured) {
    assert(!levels.empty());
    const auto choice = [&](const LevelCells& l) { return FilmChoice{l.level, slowTimeAt(l.cells, measured)}; };
    FilmChoice best = choice(levels.front());
    for (const LevelCells& level : levels.subspan(1))
        if (FilmChoice finer = choice(level); filmSeconds(film, finer.time) <= film.limit) best = std::move(finer);
    return best;
}

FilmWork shrunk(const FilmWork& film, const FilmFit& fit) {
    FilmWork smaller = film;
    smaller.pictures = static_cast<double>(fit.frames);
    smaller.steps = film.steps * smaller.pictures / film.pictures;
    smaller.pixels = fit.scale * fit.scale * film.pixels;
    return smaller;
}

FilmFit fitFilm(const FilmWork& film, double stepMs, const PictureTime& picture) {
    FilmFit fit{.frames = static_cast<std::size_t>(film.pictures)};
    double seconds = 0.0;
    for (const double scale : {1.0, 0.75, 0.5, 0.375, 0.25}) {
        fit.scale = scale;
        seconds = filmSeconds(film, {stepMs, picture.ms(scale * scale * film.pixels)});
        if (seconds <= film.limit) return fit;
    }
    fit.frames = std::max<std::size_t>(1, static_cast<std::size_t>(film.pictures * film.limit / seconds));
    return fit;
}

double leastFrameMs(double cells, double steps, double samplesPerSecond) {
    return samplesPerSecond > 0.0 ? 1e3 * steps * cells * kLeastSamplesPerCell / samplesPerSecond : 0.0;
}

FrameTime timestampsOr(const FrameTime& byTimestamps, const FrameTime& byClock) {
    return {byTimestamps.step > 0.0 ? byTimestamps.step : byClock.step,
            byTimestamps.picture > 0.0 ? byTimestamps.picture : byClock.picture};
}

std::string timeText(double ms) {
    if (ms >= 9e4) return fmt::format("about {:.0f} min", ms / 6e4);
    if (ms >= 999.5) return fmt::format("about {:.{}f} s", 1e-3 * ms, ms < 9950.0 ? 1 : 0);
    return fmt::format("about {:.{}f} ms", ms, ms < 9.95 ? 1 : 0);
}

std::string choiceText(const std::string& level, const std::string& how, const std::string& device) {
    return fmt::format("quality: {} (a frame takes {} on {}; --quality sets it)", level, how, device);
}

}  // namespace wisp::app
