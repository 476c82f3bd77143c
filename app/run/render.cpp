// SPDX-License-Identifier: MIT
#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/output/frame_queue.h"
#include "app/output/legend.h"
#include "app/output/probe_files.h"
#include "app/output/step_log.h"
#include "app/output/trace.h"
#include "app/output/volume_sequence.h"
#include "app/run/checkpoint.h"
#include "app/run/memory_plan.h"
#include "app/run/options.h"
#include "app/run/path_pictures.h"
#include "app/run/quality_probe.h"
#include "app/run/render_files.h"
#include "compute/picture/picture.h"
#include "compute/scene/motion.h"
#include "compute/scene/scene_warnings.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <utility>

namespace wisp::app {
namespace {

/// Looking for numbers gone bad costs a CPU device a third of a frame; a film notices within this many.
constexpr std::size_t kFramesPerMeasure = 8;
constexpr std::uint64_t kStepsPerSubmit = 8;  // at most, so that a frame of many steps shows its progress

/// As many steps as a frame lasts, so that films run in real time.
std::uint32_t stepsPerFrame(const RenderOptions& options, const Settings& settings) {
    if (options.stepsPerFrame) return *options.stepsPerFrame;
    return static_cast<std::uint32_t>(std::max(1l, std::lround(1.0 / (options.fps * static_cast<double>(settings.timeStep)))));
}

PixelFormat pixelFormatOf(const std::filesystem::path& out) {
    const std::string extension = out.extension().string();
    if (extension == ".exr") return PixelFormat::Deep;
    return extension == ".pfm" ? PixelFormat::Radiance : PixelFormat::Display;
}

FrameQueue::Encoded encodeTrace(std::optional<TraceFile>& trace) {
    if (!trace) return nullptr;
    return [&trace](std::size_t thread, std::size_t frame, std::int64_t begin, std::int64_t end) {
        trace->add("encode", thread, begin, end, frame);
    };
}

engine::RecorderOptions recorderOptions(const RenderOptions& options, std::uint64_t readback) {
    const bool timed = !options.stats.empty() || !options.trace.empty();
    return {.timing = timed ? engine::Timing::Passes : engine::Timing::Off, .readbackBytes = readback, .trace = !options.trace.empty()};
}

/// One film: everything that lives while it is made.
class Film {
public:
    Film(const RenderOptions& options, Start& start, const Needs& needs, engine::Device& device, const Log& log);
    void make();

private:
    void prepare();
    bool recordFrame();
    void finishSteps(bool last);
    void showSteps();
    bool tracePicture();
    void measure();
    void keep();
    [[nodiscard]] std::string lastCheckpoint() const;
    void finish();
    [[nodiscard]] bool keepsNow() const { return options_.every > 0 && simulator_.stepCount() % options_.every == 0; }
    [[nodiscard]] CheckpointedRun run() {
        return {device_, shaders_, simulator_, picture_.smoke() ? picture_.smoke()->temporal() : nullptr};
    }
    void lookAtBox();
    [[nodiscard]] bool probesNow() const { return probes_ && probes_->due(simulator_.stepCount()); }
    void recordPicture();
    void readPicture();
    void submit(bool step);
    [[nodiscard]] bool traced() const { return settings_.render.mode == RenderMode::Path && settings_.view.field == ViewField::Smoke; }
    void complete();
    void measured(std::uint64_t step, const Quality& quality);
    void requireFinite() const;
    void reloadShaders();

    const RenderOptions& options_;
    Start& start_;
    const Settings& settings_;
    const Log& log_;
    engine::Device& device_;
    std::uint32_t stepsPerFrame_;
    std::optional<TraceFile> trace_;
    std::size_t first_;  ///< frame of this run
    std::size_t frame_;
    PixelFormat format_;
    FrameQueue frames_;
    std::optional<VolumeSequence> volumes_;
    std::vector<std::byte> pixels_;  ///< of the frame that is being delivered
    std::optional<StepLog> stats_;
    std::optional<ProbeFiles> probes_;
    std::uint64_t stepsOfFrame_ = 0;
    std::pair<std::uint64_t, std::size_t> kept_{0, 0};  ///< steps and pictures of the last checkpoint
    bool keptOwn_ = false;                              ///< that is one of this run
    bool full_ = false;                                 ///< of liquid, and it was said
    std::optional<std::uint64_t> badStep_;              ///< the first whose numbers went bad
    std::string badField_;
    engine::ShaderLibrary shaders_;
    FluidSimulator simulator_;
    Picture picture_;
    Legend legend_;
    gpu::ViewLimits limits_{};           ///< of the frame that is being delivered
    engine::Recorder recorder_;          // its destructor waits for frames that use all of the above
    std::deque<bool> submits_;           ///< those whose times are to come: whether each held a step
    std::optional<PathPictures> paths_;  ///< in path mode
    Progress progress_;
};

Film::Film(const RenderOptions& options, Start& start, const Needs& needs, engine::Device& device, const Log& log)
    : options_(options),
      start_(start),
      settings_(start.scene),
      log_(log),
      device_(device),
      stepsPerFrame_(stepsPerFrame(options, settings_)),
      trace_(options.trace.empty() ? std::nullopt : std::make_optional<TraceFile>(options.trace)),
      first_(start.from ? start.from->head().pictures : 0),
      frame_(first_),
      format_(pixelFormatOf(options.out)),
      frames_(openWriter({options.out, settings_.render.size, options.fps, options.frames, first_,
                          settings_.view.field == ViewField::Smoke ? 'Z' : 'V', true, options.overwrite || start.from},
                         log),
              encodeTrace(trace_), first_),
      shaders_(device, embeddedShaders(), shaderOptions(settings_)),
      simulator_(device, start.before),
      picture_(device, settings_),
      legend_(settings_),
      recorder_(device, shaders_, recorderOptions(options, readbackOf(start.before, needs))),
      progress_(log, traced() ? "sample" : "frame", (options.frames - first_) * (traced() ? settings_.render.samples : 1)) {
    if (needs.volume) volumes_.emplace(parseVolumePattern(options.volume, options.out, options.frames), start.before, first_);
    if (traced()) paths_.emplace(recorder_, *picture_.smoke(), settings_.render, [this] { submit(false); });
    if (!options.stats.empty()) stats_.emplace(options.stats);
    if (needs.probes) probes_.emplace(device, settings_);
    if (trace_) {
        trace_->describe(device.report().name, *recorder_.clock());
        recorder_.onTrace = [this](const engine::FrameTrace& frame) { trace_->add(frame); };
    }
    if (!options.checkpoint.empty()) PendingFile{options.checkpoint};  // fails now, rather than after the first hour
    if (!options.watchShaders.empty()) shaders_.watch(options.watchShaders);
}

void Film::make() {
    const auto start = std::chrono::steady_clock::now();
    try {
        progress_.phase("compiling shaders");
        prepare();
        while (frame_ < options_.frames && !interrupted() && recordFrame()) {
            ++frame_;
            stepsOfFrame_ = 0;
            if (keepsNow()) keep();
            requireFinite();
            if (!traced()) progress_.advance(frames_.pushed());
        }
        finish();
    } catch (...) {
        // The frames that are done stay useful, whatever ended the run; its own error is the one to report.
        try {
            complete();
        } catch (...) {}
        if (!options_.checkpoint.empty())
            log_.error(
                fmt::format("{}: no checkpoint was written of where the run ended; {}", options_.checkpoint.string(), lastCheckpoint()));
        throw;
    }
    complete();
    progress_.stop();
    if (const std::string warning = paths_ ? paths_->warning() : ""; !warning.empty()) log_.note(warning);
    if (interrupted())
        throw Failure(Exit::Interrupted, fmt::format("interrupted; {} frames are in {}", frames_.pushed(), options_.out.string()));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    log_.note(fmt::format("{}: {} frames in {:.1f} s{}", options_.out.string(), frames_.pushed(), seconds,
                          traced() ? "; " + paths_->summary() : ""));
}

void Film::prepare() {
    if (start_.from) {
        resume(*start_.from, simulator_, recorder_, run());
        simulator_.change(settings_);
        stepsOfFrame_ = start_.from->head().stepsSincePicture;
        kept_ = {simulator_.stepCount(), frame_};
        log_.debug(fmt::format("goes on at step {}, frame {}", simulator_.stepCount(), first_));
    } else {
        recorder_.begin();
        simulator_.reset(recorder_);
        recorder_.submit();
    }
    recorder_.finish();
    log_.debug(fmt::format("memory: {} bytes allocated", device_.memory().used()));
    if (!stats_) return;
    submits_.clear();
    recorder_.onTimes = [this](const std::vector<engine::PassTime>& times) {
        if (submits_.front()) stats_->timed(times);
        submits_.pop_front();
    };
}

void Film::submit(bool step) {
    recorder_.submit();
    if (stats_) submits_.push_back(step);
}

/// One submit a frame, or every few steps of a long one, and one where a checkpoint or a probe is due within it; with statistics one a
/// step, so that each step has times of its own. False if interrupted before its picture.
bool Film::recordFrame() {
    reloadShaders();
    const bool late = stepsOfFrame_ >= stepsPerFrame_;  // a checkpoint without the picture that was due
    for (bool begun = false; stepsOfFrame_ < stepsPerFrame_;) {
        if (!std::exchange(begun, true)) recorder_.begin();
        {
            const engine::Recorder::Scope scope(recorder_, "step");
            simulator_.step(recorder_, stats_.has_value());
        }
        const bool last = ++stepsOfFrame_ == stepsPerFrame_;
        if (!last && !stats_ && !keepsNow() && !probesNow() && stepsOfFrame_ % kStepsPerSubmit != 0) continue;
        finishSteps(last);
        begun = false;
        if (!last) showSteps();
        if (!last && keepsNow()) keep();
    }
    if (late && !traced()) {
        recorder_.begin();
        recordPicture();
        submit(false);
    }
    if (frame_ == first_) log_.debug(shaders_.save());
    return !traced() || tracePicture();
}

void Film::finishSteps(bool last) {
    if (stats_) stats_->recorded(simulator_.stepCount(), simulator_.time());
    if (probesNow()) probes_->sample(recorder_, simulator_);
    const bool ends = last || keepsNow();  // not only a probe that is due
    if (stats_ || (ends && (frame_ % kFramesPerMeasure == 0 || frame_ + 1 == options_.frames))) measure();
    if (last && !traced()) recordPicture();
    submit(true);
}

void Film::showSteps() {
    const std::string steps = fmt::format("step {}/{}", stepsOfFrame_, stepsPerFrame_);
    if (traced()) return progress_.advance((frame_ - first_) * settings_.render.samples, 0.0, steps);  // steps are few beside samples
    progress_.advance(frames_.pushed(), static_cast<double>(frame_ - first_) + static_cast<double>(stepsOfFrame_) / stepsPerFrame_, steps);
}

bool Film::tracePicture() {
    const auto advance = [this](std::uint32_t samples) { progress_.advance((frame_ - first_) * settings_.render.samples + samples); };
    lookAtBox();
    if (!paths_->trace(simulator_.fields(), simulator_.stepCount(), advance)) return false;
    readPicture();
    submit(false);
    return true;
}

void Film::measure() {
    simulator_.measure(recorder_, [this, step = simulator_.stepCount()](const Quality& quality) { measured(step, quality); });
}

/// Writes a checkpoint, of good numbers only, once all frames before it are there.
void Film::keep() {
    if (!stats_) {
        recorder_.begin();
        measure();
        submit(false);
    }
    recorder_.finish();
    requireFinite();
    frames_.flush();
    if (volumes_) volumes_->flush();
    saveCheckpoint(options_.checkpoint, run(), settings_, {.pictures = frame_, .stepsSincePicture = stepsOfFrame_});
    kept_ = {simulator_.stepCount(), frame_};
    keptOwn_ = true;
    log_.debug(fmt::format("a checkpoint at step {}", simulator_.stepCount()));
}

/// What there is where a checkpoint was to be.
std::string Film::lastCheckpoint() const {
    if (keptOwn_) return fmt::format("the one of step {}, frame {} is there", kept_.first, kept_.second);
    std::error_code ignored;
    return std::filesystem::is_regular_file(options_.checkpoint, ignored) ? "the one from before this run is there" : "there is none";
}

void Film::finish() {
    recorder_.finish();
    requireFinite();
    if (!options_.checkpoint.empty() && kept_ != std::pair{simulator_.stepCount(), frame_}) keep();
    device_.throwOnValidation();
    if (options_.hash) fmt::print("{}", hashesOf(run()));
}

void Film::lookAtBox() {
    picture_.setScene(simulator_.settings(), simulator_.time());
    picture_.setCamera(cameraAt(settings_, simulator_.time()));
}

void Film::recordPicture() {
    {
        const engine::Recorder::Scope scope(recorder_, "frame");
        lookAtBox();
        picture_.draw(recorder_, simulator_.fields());
    }
    readPicture();
}

void Film::readPicture() {
    if (volumes_) volumes_->read(recorder_, simulator_, [this] { return !badStep_.has_value(); });
    const bool display = format_ == PixelFormat::Display;
    const auto take = [this](std::span<const std::byte> bytes) { pixels_.insert(pixels_.end(), bytes.begin(), bytes.end()); };
    const auto complete = [this, take, display, time = simulator_.time()](std::span<const std::byte> bytes) {  // with what is read last
        take(bytes);
        std::vector<std::byte> pixels = std::exchange(pixels_, {});
        if (badStep_) return;
        if (display) legend_.draw(pixels, limits_, time);
        frames_.push(std::move(pixels));
    };
    if (display && picture_.limits())
        recorder_.read(*picture_.limits(),
                       [this](std::span<const std::byte> bytes) { std::memcpy(&limits_, bytes.data(), sizeof limits_); });
    switch (format_) {
        case PixelFormat::Display: recorder_.read(picture_.display(), complete); break;
        case PixelFormat::Radiance: recorder_.read(picture_.radiance(), complete); break;
        case PixelFormat::Deep:
            recorder_.read(picture_.radiance(), take);
            recorder_.read(picture_.plane(), complete);
            break;
    }
}

void Film::measured(std::uint64_t step, const Quality& quality) {
    if (!quality.finite() && !badStep_) {
        badStep_ = step;
        badField_ = quality.notFinite;
    }
    if (quality.liquid && quality.liquid->unborn > 0.0 && !std::exchange(full_, true))
        log_.note(fmt::format("step {}: liquid.capacity: {} particles are there; no more are born", step, settings_.liquidCapacity()));
    if (stats_) stats_->measured(step, quality);
}

void Film::requireFinite() const {
    if (badStep_)
        throw Failure(Exit::NotFinite,
                      fmt::format("step {}: {} is no longer finite; {} good frames were written", *badStep_, badField_, frames_.pushed()));
}

void Film::reloadShaders() {
    if (options_.watchShaders.empty()) return;
    for (const std::string& message : shaders_.reload()) log_.note(message);
}

void Film::complete() {
    frames_.finish();
    if (volumes_) volumes_->finish();
    if (stats_) stats_->finish();
    if (probes_) probes_->finish();
    if (trace_) trace_->finish();
}

}  // namespace

void render(const RenderOptions& given, const Log& log) {
    RenderOptions options = given;
    Start start = startOf(options.common);
    const Settings& settings = start.scene;
    for (const Override& o : options.common.sceneOptions.overrides)
        if (settings.render.mode != RenderMode::Path && (o.option.starts_with("--samples") || o.option.starts_with("--error")))
            throw Failure(Exit::Usage, fmt::format("{} is for path mode: --set render.mode=path", o.option));
    if (options.out.empty()) options.out = settings.name + ".mp4";
    if (start.from) requireRoom(options, settings, start.from->head());
    requireOwnFiles(options, settings);
    if (!start.from && !options.dryRun) requireNewFiles(options);  // a resumed run continues its own sequence
    const std::uint64_t pixels = std::uint64_t{settings.render.size.x} * settings.render.size.y;
    const bool copies = start.from || options.hash || !options.checkpoint.empty();
    Needs needs{true, pixels * bytesPerPixel(pixelFormatOf(options.out)) + kMeasureBytes, copies ? kCheckpointBlock : 0};
    needs.probes = !settings.probes.empty();
    if (!options.volume.empty()) needs.volume = parseVolumePattern(options.volume, options.out, options.frames).kind;

    engine::Device device(options.common.device);
    settleQuality(options.common, start, device, needs, log);
    requireFit(device, settings, needs);
    if (options.dryRun) return printPlan(device, settings, needs);
    const glm::uvec3 cells = settings.grid.cells;
    log.note(fmt::format("{}: {}x{}x{} cells on {}, {} frames of {}x{} to {}", settings.name, cells.x, cells.y, cells.z,
                         device.report().name, options.frames, settings.render.size.x, settings.render.size.y, options.out.string()));
    for (const Problem& p : sceneWarnings(settings)) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    catchInterrupts();
    withShortageExplained(device, start.scene, needs, [&] { Film(options, start, needs, device, log).make(); });
}

}  // namespace wisp::app
