// SPDX-License-Identifier: MIT
#include "app/run/quality_probe.h"

#include "app/base/progress.h"
#include "app/base/scene_values.h"
#include "wisp/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

namespace wisp::app {
namespace {

constexpr double kWarmUp = 80.0;  // [ms] of steps before timing, so that the smoke has spread and the device has raised its clocks
constexpr std::uint32_t kWarmUpSteps = 120;
constexpr double kTimed = 60.0;  // [ms] maximum total time of timed frames; at least one frame is timed
constexpr std::size_t kTimedFrames = 9;
/// Time limit [ms] for the reset and for the first frame. Devices that are fast enough for more than preview stay far below it.
constexpr double kPatience = 300.0;
// Devices that are slower than that: smoke of the time kSlowStart [s] fills a part of the box, so that pictures cost as much as later ones.
// Its steps are longer than those of the scene, because only their number costs time.
constexpr double kSlowStart = 1.0;
constexpr double kSlowWarmUp = 500.0;  // [ms] of these steps, at least kSlowLeastSteps and at most kSlowMostSteps
constexpr double kSlowLeastSteps = 3.0, kSlowMostSteps = 12.0;
constexpr double kSmallPicture = 57600.0;  // [pixels] of the larger one of two small pictures, 320x180

double msSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

RendererOptions pictureOf(const Scene& scene) {
    const auto size = valueOf<std::array<std::uint32_t, 2>>(scene, "render.size");
    return {.width = size[0], .height = size[1]};
}

double pixelsOf(const Scene& scene) {
    const RendererOptions size = pictureOf(scene);
    return static_cast<double>(size.width) * size.height;
}

/// Time on a device that is too slow for pictures of full size.
struct SlowTime {
    double step = 0.0;  // [ms]
    PictureTime picture;
    [[nodiscard]] FrameTime with(double pixels) const { return {step, picture.ms(pixels)}; }
};

SimulationOptions optionsOfWindow() { return {.addsObstacles = true, .timing = Timing::Scopes}; }

/// Runs a scene at one level and times it.
class Probe {
public:
    Probe(const Device& device, const Scene& scene, const SimulationOptions& options)
        : simulation_(device, scene, options), reset_(waited()), renderer_(simulation_, pictureOf(scene)) {
        simulation_.onTimes([this](const SubmitTimes& times) {
            recording_ += times.recordMs;
            for (const PassTime& t : times.passes)
                if (t.scope && t.calls > 0) (t.name == "step" ? steps_ : pictures_).push_back(t.ms / t.calls);
        });
    }

    /// Returns std::nullopt if the device is too slow for a quick measurement.
    std::optional<FrameTime> time() {
        if (reset_ > kPatience) return std::nullopt;
        if (step() + draw() > kPatience) return std::nullopt;
        double warm = 0.0;
        for (std::uint32_t n = 0; n < kWarmUpSteps && warm < kWarmUp; ++n) warm += step();
        steps_.clear();
        pictures_.clear();
        std::vector<double> stepClock, pictureClock;
        double timed = 0.0;
        do {
            stepClock.push_back(step());
            pictureClock.push_back(draw());
            timed += stepClock.back() + pictureClock.back();
        } while (timed < kTimed && stepClock.size() < kTimedFrames);
        return timestampsOr({median(steps_), median(pictures_)}, {median(stepClock), median(pictureClock)});
    }

    /// The same on a slow device, from small pictures.
    SlowTime timeSlowly(const Scene& scene) {
        step();  // on a CPU, drivers compile a shader when it first runs
        const double steps = std::clamp(kSlowWarmUp / step(), kSlowLeastSteps, kSlowMostSteps);
        const auto timeStep = valueOf<double>(scene, "time.step");
        if (simulation_.particleCapacity() == 0) simulation_.set("time.step", std::max(timeStep, kSlowStart / steps));
        for (double n = 0.0; n < steps; ++n) step();
        simulation_.set("time.step", timeStep);
        const RendererOptions full = pictureOf(scene);
        const double shrink = std::sqrt(std::min(1.0, kSmallPicture / pixelsOf(scene)));
        std::vector<double> clock;
        const auto frame = [&](double scale) {  // each picture follows a step: light volumes of the same smoke are not computed again
            clock.push_back(step());
            return drawSmall(full, scale);
        };
        frame(0.5 * shrink);  // compiles
        const PixelTime fewer = frame(0.5 * shrink), more = frame(shrink);
        return {median(clock), pictureTime(fewer, more)};
    }

private:
    PixelTime drawSmall(const RendererOptions& full, double scale) {
        const auto scaled = [scale](std::uint32_t side) {
            return std::max(1u, static_cast<std::uint32_t>(std::lround(scale * static_cast<double>(side))));
        };
        const std::uint32_t width = scaled(full.width), height = scaled(full.height);
        renderer_.resize(width, height);
        return {static_cast<double>(width) * height, draw()};
    }
    double waited() {
        const auto start = std::chrono::steady_clock::now();
        simulation_.wait();
        return msSince(start);
    }
    double step() {
        return clocked([this] { simulation_.step(); });
    }
    double draw() {
        return clocked([this] { renderer_.draw(); });
    }
    /// Time [ms] from the submit to its completion: without recording, during which pipelines are created.
    template <class Call>
    double clocked(const Call& call) {
        recording_ = 0.0;
        const auto start = std::chrono::steady_clock::now();
        call();
        simulation_.wait();
        return std::max(msSince(start) - recording_, 0.0);
    }

    std::vector<double> steps_, pictures_;  // [ms] by timestamps
    double recording_ = 0.0;                // [ms] by the CPU, since the last submit
    Simulation simulation_;
    double reset_;  // [ms] from its submit, with which the simulation is made
    Renderer renderer_;
};

/// Times a scene with the settings of the window. Returns std::nullopt if it takes too long, or if memory runs out in spite of the plan.
std::optional<FrameTime> timeOf(const Device& device, Scene scene) {
    scene.set("render.mode", "raymarch");
    try {
        return Probe(device, scene, optionsOfWindow()).time();
    } catch (const Error& e) {
        if (e.code() != ErrorCode::OutOfMemory) throw;
        return std::nullopt;
    }
}

/// The same on a slow device. @throws Error OutOfMemory
SlowTime slowTimeOf(const Device& device, Scene scene, const SimulationOptions& options, const Log& log) {
    Progress progress(log, "frame", 1);
    progress.phase("measuring a frame");
    scene.set("render.mode", "raymarch");
    const SlowTime time = Probe(device, scene, options).timeSlowly(scene);
    log.debug(fmt::format("quality: {}: a step takes {:.1f} ms, an image {:.1f} ms and {:.3f} us per pixel", scene.quality(), time.step,
                          time.picture.fixed, 1e3 * time.picture.perPixel));
    return time;
}

Scene atLevel(const Scene& scene, const std::string& level) {
    Scene scaled = scene;
    scaled.setQuality(level);
    return scaled;
}

}  // namespace

std::vector<LevelCells> levelsThatFit(const Device& device, const Scene& scene, const MemoryOfRun& memory) {
    std::vector<LevelCells> levels;
    const std::uint64_t capacity = device.memoryAvailable() + device.memoryUsed();  // of the current run, which ends before another level
    for (const std::string& level : Scene::qualities()) {
        const Scene scaled = atLevel(scene, level);
        try {
            if (memory(scaled) <= capacity) levels.push_back({level, cellCount(scaled)});
        } catch (const Error& e) {  // the grid is not valid, or exceeds the limits of the device
            if (e.code() != ErrorCode::Scene && e.code() != ErrorCode::OutOfMemory) throw;
        }
    }
    return levels;
}

std::string chooseQuality(const Device& device, const Scene& scene, const MemoryOfRun& memory, const Log& log) {
    const std::vector<LevelCells> levels = levelsThatFit(device, scene, memory);
    if (levels.empty()) return Scene::qualities().front();  // the run reports the error
    const auto say = [&](const std::string& level, const std::string& how) {
        log.note(choiceText(level, how, device.name()));
        return level;
    };
    const LevelCells& coarsest = levels.front();
    const double steps = stepsOfFrame(valueOf<double>(scene, "time.step"));
    const auto saySlow = [&] {
        const SlowTime time = slowTimeOf(device, atLevel(scene, coarsest.level), optionsOfWindow(), log);
        return say(coarsest.level, timeText(frameMs(time.with(pixelsOf(scene)), steps)));
    };
    // One small shader detects a device that is much too slow. There even one picture of full size would take too long.
    if (leastFrameMs(coarsest.cells, steps, device.peakSamples()) > kFrameBudget) return saySlow();
    std::vector<LevelTime> measured;
    for (const LevelCells& level : levels) {
        const std::optional<FrameTime> time = timeOf(device, atLevel(scene, level.level));
        if (!time) break;
        measured.push_back({level.cells, *time});
        log.debug(fmt::format("quality: {}: a step takes {:.3f} ms, an image {:.3f} ms", level.level, time->step, time->picture));
        // Two grids determine the growth, and a third would take as long as both. If this level is too slow, finer levels are too slow as
        // well.
        if (measured.size() == 2 || frameMs(*time, steps) > kFrameBudget) break;
    }
    if (measured.empty()) return saySlow();
    const QualityChoice choice = chooseLevel(levels, steps, measured);
    return say(choice.level, timeText(choice.ms));
}

FilmPlan planFilm(const Device& device, const Scene& scene, const MemoryOfRun& memory, const FilmWork& film, const Log& log) {
    constexpr const char* kFinest = "standard";
    FilmPlan plan{film.level.empty() ? kFinest : film.level, {.frames = static_cast<std::size_t>(film.pictures)}};
    if (!film.shrinks && !film.asked && isShortFilm(film, cellCount(atLevel(scene, kFinest)))) return plan;
    std::vector<LevelCells> levels = levelsThatFit(device, scene, memory);
    const std::vector<std::string> all = Scene::qualities();
    const auto rank = [&](const std::string& level) { return std::ranges::find(all, level) - all.begin(); };
    std::erase_if(levels, [&](const LevelCells& l) { return film.level.empty() ? rank(l.level) > rank(kFinest) : l.level != film.level; });
    if (levels.empty() || levels.back().level != plan.level) return plan;  // the run reports the error

    const auto timeOfFilm = [&](const LevelCells& level) {
        return slowTimeOf(device, atLevel(scene, level.level), {.moves = false, .timing = Timing::Scopes}, log);
    };
    const SlowTime coarse = timeOfFilm(levels.front());
    if (film.shrinks) plan.fit = fitFilm(film, coarse.step, coarse.picture);
    const FilmWork fitted = shrunk(film, plan.fit);
    std::vector<LevelTime> measured{{levels.front().cells, coarse.with(fitted.pixels)}};
    FilmChoice choice = chooseFilmLevel(levels, fitted, measured);
    // A second grid determines the growth, if a finer level may be fast enough.
    if (choice.level != levels.front().level) {
        measured.push_back({levels[1].cells, timeOfFilm(levels[1]).with(fitted.pixels)});
        choice = chooseFilmLevel(levels, fitted, measured);
    }
    const double ms = 1e3 * filmSeconds(fitted, choice.time);
    log.note(choiceText(choice.level, fmt::format("{}, the film {},", timeText(ms / std::max(fitted.pictures, 1.0)), timeText(ms)),
                        device.name()));
    plan.level = choice.level;
    return plan;
}

}  // namespace wisp::app
