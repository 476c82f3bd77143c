// SPDX-License-Identifier: MIT
#include "app/run/settings_quality.h"

#include "api/scene_impl.h"
#include "compute/picture/picture.h"
#include "compute/scene/motion.h"
#include "compute/scene/validate.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "engine/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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

/// Runs a scene at one level and times it.
class Probe {
public:
    Probe(engine::Device& device, const Settings& settings)
        : device_(device),
          shaders_(device, embeddedShaders(), shaderOptions(settings)),
          simulator_(device, settings),
          picture_(device, settings),
          recorder_(device, shaders_, {.timing = engine::Timing::Scopes, .readbackBytes = kMeasureBytes}) {
        recorder_.onTimes = [this](const std::vector<engine::PassTime>& times) {
            for (const engine::PassTime& t : times)
                if (t.scope && t.calls > 0) (t.name == "step" ? steps_ : pictures_).push_back(t.ms / t.calls);
        };
    }

    /// Returns std::nullopt if the device is too slow for a quick measurement.
    std::optional<FrameTime> time() {
        if (clocked([&] { simulator_.reset(recorder_); }) > kPatience) return std::nullopt;
        if (clocked([&] { step(), draw(); }) > kPatience) return std::nullopt;
        double warm = 0.0;
        for (std::uint32_t n = 0; n < kWarmUpSteps && warm < kWarmUp; ++n) warm += clocked([&] { step(); });
        steps_.clear();
        pictures_.clear();
        std::vector<double> stepClock, pictureClock;
        double timed = 0.0;
        do {
            stepClock.push_back(clocked([&] { step(); }));
            pictureClock.push_back(clocked([&] { draw(); }));
            timed += stepClock.back() + pictureClock.back();
        } while (timed < kTimed && stepClock.size() < kTimedFrames);
        return timestampsOr({median(steps_), median(pictures_)}, {median(stepClock), median(pictureClock)});
    }

private:
    void step() {
        const engine::Recorder::Scope scope(recorder_, "step");
        simulator_.step(recorder_);
    }
    void draw() {
        const engine::Recorder::Scope scope(recorder_, "frame");
        picture_.setScene(simulator_.settings(), simulator_.time());
        picture_.setCamera(cameraAt(simulator_.settings(), simulator_.time()));
        picture_.setExposure(exposureAt(simulator_.settings(), simulator_.time(), static_cast<double>(simulator_.settings().timeStep)));
        picture_.draw(recorder_, simulator_.fields());
    }
    /// Time [ms] from the submit of the recorded work to its completion. Pipelines are created before the submit.
    template <class Record>
    double clocked(const Record& record) {
        recorder_.begin();
        record();
        const auto start = std::chrono::steady_clock::now();
        recorder_.submit();
        recorder_.finish();
        return msSince(start);
    }

    engine::Device& device_;
    engine::ShaderLibrary shaders_;
    FluidSimulator simulator_;
    ScenePicture picture_;
    std::vector<double> steps_, pictures_;  // [ms] by timestamps
    engine::Recorder recorder_;             // its destructor waits for frames that use all of the above
};

/// Times a scene with the settings of the window. Returns std::nullopt if it takes too long, or if memory runs out in spite of the plan.
std::optional<FrameTime> timeOf(engine::Device& device, const Settings& settings) {
    std::optional<FrameTime> time;
    try {
        Settings probed = settings;
        probed.byHand = true;
        probed.render.mode = RenderMode::Raymarch;
        time = Probe(device, probed).time();
    } catch (const engine::Error& e) {
        if (e.kind() != engine::ErrorKind::OutOfMemory) throw;
    }
    device.waitIdle();  // frees the memory of the probe before the run allocates
    return time;
}

double count(glm::uvec3 cells) { return static_cast<double>(cells.x) * cells.y * cells.z; }
double cellsOf(const GridSettings& grid) { return count(grid.cells) + count(grid.scalarCells()); }
std::string about(double ms) { return fmt::format("about {:.{}f} ms", ms, ms < 9.95 ? 1 : 0); }

}  // namespace

std::vector<LevelCells> levelsThatFit(engine::Device& device, const LoadedScene& scene, const Needs& needs) {
    std::vector<LevelCells> levels;
    const std::uint64_t capacity = device.memory().available() +
                                   device.memory().used();  // memory of the current run is freed before the level changes
    for (const QualityLevel level : kQualityLevels) {
        const Settings settings = atLevel(scene, level);
        if (!validate(settings).empty()) continue;
        try {
            if (planMemory(device, settings, needs).bytes <= capacity) levels.push_back({nameOf(level), cellsOf(settings.grid)});
        } catch (const std::invalid_argument&) {  // exceeds the limits of the device
        }
    }
    return levels;
}

QualityLevel chooseQuality(engine::Device& device, const LoadedScene& scene, const Needs& needs, const Log& log) {
    const std::vector<LevelCells> levels = levelsThatFit(device, scene, needs);
    if (levels.empty()) return QualityLevel::Preview;  // the run reports the error
    const std::string& name = device.report().name;
    const auto say = [&](const std::string& level, const std::string& how) {
        log.note(choiceText(level, how, name));
        return levelOf(level);
    };
    const LevelCells& coarsest = levels.front();
    const double steps = stepsOfFrame(static_cast<double>(scene.settings.timeStep));
    // One small shader detects a device that is much too slow. Creating the pipelines of a step there takes seconds.
    const double least = leastFrameMs(coarsest.cells, steps, engine::measureSamples(device));
    if (least > kFrameBudget) return say(coarsest.level, fmt::format("at least {:.0f} ms", least));
    std::vector<LevelTime> measured;
    for (const LevelCells& level : levels) {
        const std::optional<FrameTime> time = timeOf(device, atLevel(scene, levelOf(level.level)));
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

void settleQuality(const CommonOptions& options, Start& start, engine::Device& device, const Needs& needs, const Log& log) {
    if (!options.autoQuality || start.from) return;
    const LoadedScene scene{start.scene, start.ownCells};
    start.level = chooseQuality(device, scene, needs, log);
    start.scene = start.before = atLevel(scene, start.level);
}

}  // namespace wisp::app
