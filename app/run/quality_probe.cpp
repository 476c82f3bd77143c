// SPDX-License-Identifier: MIT
#include "app/run/quality_probe.h"

#include "app/base/scene_values.h"
#include "wisp/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace wisp::app {
namespace {

constexpr double kWarmUp = 80.0;  // [ms] of steps before timing, so that the smoke has spread and the device has raised its clocks
constexpr std::uint32_t kWarmUpSteps = 120;
constexpr double kTimed = 60.0;  // [ms] maximum total time of timed frames; at least one frame is timed
constexpr std::size_t kTimedFrames = 9;
/// Time limit [ms] for the reset and for the first frame. Devices that are fast enough for more than preview stay far below it.
constexpr double kPatience = 300.0;

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

/// Runs a scene at one level and times it.
class Probe {
public:
    Probe(const Device& device, const Scene& scene)
        : simulation_(device, scene, {.addsObstacles = true, .timing = Timing::Scopes}),
          reset_(waited()),
          renderer_(simulation_, pictureOf(scene)) {
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

private:
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
        return Probe(device, scene).time();
    } catch (const Error& e) {
        if (e.code() != ErrorCode::OutOfMemory) throw;
        return std::nullopt;
    }
}

Scene atLevel(const Scene& scene, const std::string& level) {
    Scene scaled = scene;
    scaled.setQuality(level);
    return scaled;
}

std::string about(double ms) { return fmt::format("about {:.{}f} ms", ms, ms < 9.95 ? 1 : 0); }

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
    // One small shader detects a device that is much too slow. Creating the pipelines of a step there takes seconds.
    const double least = leastFrameMs(coarsest.cells, steps, device.peakSamples());
    if (least > kFrameBudget) return say(coarsest.level, fmt::format("at least {:.0f} ms", least));
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
    if (measured.empty()) return say(coarsest.level, fmt::format("more than {:.0f} ms at first", kPatience));
    const QualityChoice choice = chooseLevel(levels, steps, measured);
    return say(choice.level, about(choice.ms));
}

}  // namespace wisp::app
