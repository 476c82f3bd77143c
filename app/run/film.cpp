// SPDX-License-Identifier: MIT
#include "app/run/film.h"

#include "api/profile_impl.h"
#include "app/base/interrupt.h"
#include "app/output/report.h"
#include "compute/scene/motion.h"
#include "compute/sim/shaders.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <span>

namespace wisp::app {
namespace {

/// Interval of checks for NaN and infinity [frames]. On a CPU device a check costs a third of a frame.
constexpr std::size_t kFramesPerMeasure = 8;
constexpr std::uint64_t kStepsPerSubmit = 8;  // maximum, so that a frame of many steps shows its progress

FrameQueue::Encoded encodeTrace(std::optional<TraceFile>& trace) {
    if (!trace) return nullptr;
    return [&trace](std::size_t thread, std::size_t frame, std::int64_t begin, std::int64_t end) {
        trace->add("encode", thread, begin, end, frame);
    };
}

std::unique_ptr<FrameQueue> openPictures(const RenderOptions& options, const Settings& settings, std::size_t first, bool replaces,
                                         const Log& log, FrameQueue::Encoded encoded) {
    if (!options.picture) return nullptr;
    const char pass = settings.view.field == ViewField::Smoke ? 'Z' : 'V';
    return std::make_unique<FrameQueue>(
        openWriter({options.out, settings.render.size, options.fps, options.frames, first, pass, true, replaces}, log), std::move(encoded),
        first);
}

engine::RecorderOptions recorderOptions(const RenderOptions& options, std::uint64_t readback) {
    const bool timed = !options.stats.empty() || !options.trace.empty();
    return {.timing = timed ? engine::Timing::Passes : engine::Timing::Off, .readbackBytes = readback, .trace = !options.trace.empty()};
}

}  // namespace

std::uint32_t stepsPerFrame(const RenderOptions& options, const Settings& settings) {
    if (options.stepsPerFrame) return *options.stepsPerFrame;
    return static_cast<std::uint32_t>(std::max(1l, std::lround(1.0 / (options.fps * static_cast<double>(settings.timeStep)))));
}

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
      format_(options.picture ? pixelFormatOf(options.out) : PixelFormat::Display),
      frames_(openPictures(options, settings_, first_, options.overwrite || start.from, log, encodeTrace(trace_))),
      shaders_(device, embeddedShaders(), shaderOptions(settings_)),
      simulator_(device, start.before),
      picture_(options.picture ? std::make_unique<ScenePicture>(device, settings_) : nullptr),
      legend_(settings_),
      recorder_(device, shaders_, recorderOptions(options, readbackOf(simulator_, needs))),
      progress_(log, traced() ? "sample" : "frame", (options.frames - first_) * (traced() ? settings_.render.samples : 1)) {
    if (needs.volume) {
        const VolumePattern pattern = parseVolumePattern(options.volume, options.out, options.frames);
        pattern.names.prepare();
        const auto name = [names = pattern.names](std::size_t frame) { return names.name(frame); };
        volumes_.emplace(device, pattern.kind, options.volumeChoice, simulator_, name, first_);
    }
    if (traced()) paths_.emplace(recorder_, *picture_->smoke(), settings_.render, [this] { submit(false); });
    if (!options.stats.empty()) stats_.emplace(options.stats);
    if (needs.probes) probes_.emplace(device, settings_);
    if (trace_) {
        trace_->describe(device.report().name, {recorder_.clock()->isCalibrated(), recorder_.clock()->deviation()});
        recorder_.onTrace = [this](const engine::FrameTrace& frame) { trace_->add(traceOf(frame)); };
    }
    if (!options.checkpoint.empty()) PendingFile{options.checkpoint};  // an unwritable path fails before the run
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
            if (checkpointDue()) keep();
            requireFinite();
            if (!traced()) progress_.advance(written());
        }
        finish();
    } catch (...) {
        // Keeps the finished frames. A second error here is ignored, so that the first one is reported.
        try {
            complete();
        } catch (...) {}
        if (!options_.checkpoint.empty())
            log_.error(
                fmt::format("{}: no checkpoint was written at the end of the run; {}", options_.checkpoint.string(), lastCheckpoint()));
        throw;
    }
    complete();
    progress_.stop();
    if (const std::string warning = paths_ ? paths_->warning() : ""; !warning.empty()) log_.note(warning);
    if (interrupted())
        throw Failure(Exit::Interrupted, fmt::format("interrupted; {} frames are in {}", written(),
                                                     (options_.picture ? options_.out : options_.volume).string()));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    log_.note(fmt::format("{}: {} frames in {:.1f} s{}", (options_.picture ? options_.out : options_.volume).string(), written(), seconds,
                          traced() ? "; " + paths_->summary() : ""));
}

void Film::prepare() {
    if (start_.from) {
        resume(*start_.from, simulator_, recorder_, run());
        simulator_.change(settings_);
        stepsOfFrame_ = start_.from->head().stepsSincePicture;
        kept_ = {simulator_.stepCount(), frame_};
        log_.debug(fmt::format("resumes at step {}, frame {}", simulator_.stepCount(), first_));
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
        if (submits_.front()) stats_->timed(passTimesOf(times));
        submits_.pop_front();
    };
}

void Film::submit(bool step) {
    recorder_.submit();
    if (stats_) submits_.push_back(step);
}

/// Submits once per frame. Long frames are split after every kStepsPerSubmit steps, and at steps where a checkpoint or a probe is due. With
/// --stats every step is one submit, so that each step has its own times. Returns false if interrupted before the image is complete.
bool Film::recordFrame() {
    reloadShaders();
    if (!options_.from.empty()) return showVolume();
    const bool late = stepsOfFrame_ >= stepsPerFrame_;  // resumed from a checkpoint after the last step of a frame, before its image
    for (bool begun = false; stepsOfFrame_ < stepsPerFrame_;) {
        if (!std::exchange(begun, true)) recorder_.begin();
        {
            const engine::Recorder::Scope scope(recorder_, "step");
            simulator_.step(recorder_, stats_.has_value());
        }
        const bool last = ++stepsOfFrame_ == stepsPerFrame_;
        if (!last && !stats_ && !checkpointDue() && !probesNow() && stepsOfFrame_ % kStepsPerSubmit != 0) continue;
        finishSteps(last);
        begun = false;
        if (!last) showSteps();
        if (!last && checkpointDue()) keep();
    }
    if (late && !traced()) {
        recorder_.begin();
        recordPicture();
        submit(false);
        writeVolume();
    }
    if (frame_ == first_) log_.debug(shaders_.save());
    return !traced() || tracePicture();
}

/// A picture of a volume file instead of a step. As in a simulation, the first picture shows the end of the first frame.
bool Film::showVolume() {
    recorder_.begin();
    simulator_.show(recorder_, static_cast<double>(frame_ + 1) / options_.fps);
    if (!traced()) recordPicture();
    submit(true);
    return !traced() || tracePicture();
}

void Film::finishSteps(bool last) {
    if (stats_) stats_->recorded(simulator_.stepCount(), simulator_.time());
    if (probesNow()) probes_->sample(recorder_, simulator_);
    const bool ends = last || checkpointDue();  // not if the submit is only for a probe
    if (stats_ || (ends && (frame_ % kFramesPerMeasure == 0 || frame_ + 1 == options_.frames))) measure();
    if (last && !traced()) recordPicture();
    submit(true);
    if (last && !traced()) writeVolume();
}

void Film::showSteps() {
    const std::string steps = fmt::format("step {}/{}", stepsOfFrame_, stepsPerFrame_);
    // In path mode progress counts samples, and the steps take little time in comparison.
    if (traced()) return progress_.advance((frame_ - first_) * settings_.render.samples, 0.0, steps);
    progress_.advance(written(), static_cast<double>(frame_ - first_) + static_cast<double>(stepsOfFrame_) / stepsPerFrame_, steps);
}

bool Film::tracePicture() {
    const auto advance = [this](std::uint32_t samples) { progress_.advance((frame_ - first_) * settings_.render.samples + samples); };
    lookAtBox();
    if (!paths_->trace(simulator_.fields(), simulator_.stepCount(), advance)) return false;
    readPicture();
    submit(false);
    writeVolume();
    return true;
}

void Film::measure() {
    simulator_.measure(recorder_, [this, step = simulator_.stepCount()](const Quality& quality) { measured(step, quality); });
}

/// Writes a checkpoint after all earlier frames are written. Fields with NaN or infinity are never saved.
void Film::keep() {
    if (!stats_) {
        recorder_.begin();
        measure();
        submit(false);
    }
    recorder_.finish();
    requireFinite();
    if (frames_) frames_->flush();
    if (volumes_) volumes_->flush();
    saveCheckpoint(options_.checkpoint, run(), settings_, {.pictures = frame_, .stepsSincePicture = stepsOfFrame_});
    kept_ = {simulator_.stepCount(), frame_};
    keptOwn_ = true;
    log_.debug(fmt::format("checkpoint written at step {}", simulator_.stepCount()));
}

/// Describes the existing checkpoint file for an error message.
std::string Film::lastCheckpoint() const {
    if (keptOwn_) return fmt::format("the file has the checkpoint of step {}, frame {}", kept_.first, kept_.second);
    std::error_code ignored;
    return std::filesystem::is_regular_file(options_.checkpoint, ignored) ? "the file is older than this run" : "the file does not exist";
}

void Film::finish() {
    recorder_.finish();
    requireFinite();
    if (!options_.checkpoint.empty() && kept_ != std::pair{simulator_.stepCount(), frame_}) keep();
    device_.throwOnValidation();
    if (!options_.hash) return;
    for (const auto& [name, hash] : hashesOf(run())) fmt::print("{:016x}  {}\n", hash, name);
}

void Film::lookAtBox() {
    picture_->setScene(simulator_.settings(), simulator_.time());
    picture_->setCamera(cameraAt(settings_, simulator_.time()));
    const double frame = options_.from.empty() ? stepsPerFrame_ * static_cast<double>(settings_.timeStep) : 1.0 / options_.fps;
    picture_->setExposure(exposureAt(settings_, simulator_.time(), frame));
}

void Film::recordPicture() {
    if (picture_) {
        const engine::Recorder::Scope scope(recorder_, "frame");
        lookAtBox();
        picture_->draw(recorder_, simulator_.fields());
    }
    readPicture();
}

void Film::readPicture() {
    if (!picture_) return;
    const bool display = format_ == PixelFormat::Display;
    const auto take = [this](std::span<const std::byte> bytes) { pixels_.insert(pixels_.end(), bytes.begin(), bytes.end()); };
    const auto complete = [this, take, display,
                           time = simulator_.time()](std::span<const std::byte> bytes) {  // runs when the last readback arrives
        take(bytes);
        std::vector<std::byte> pixels = std::exchange(pixels_, {});
        if (badStep_) return;
        if (display) legend_.draw(pixels, limits_, time);
        frames_->push(std::move(pixels));
    };
    if (display && picture_->limits())
        recorder_.read(*picture_->limits(),
                       [this](std::span<const std::byte> bytes) { std::memcpy(&limits_, bytes.data(), sizeof limits_); });
    switch (format_) {
        case PixelFormat::Display: recorder_.read(picture_->display(), complete); break;
        case PixelFormat::Radiance: recorder_.read(picture_->radiance(), complete); break;
        case PixelFormat::Deep:
            recorder_.read(picture_->radiance(), take);
            recorder_.read(picture_->plane(), complete);
            break;
    }
}

void Film::writeVolume() {
    if (!volumes_) return;
    volumes_->read(
        recorder_, simulator_, [this] { submit(false); }, [this] { return !badStep_.has_value(); });
}

void Film::measured(std::uint64_t step, const Quality& quality) {
    if (!quality.finite() && !badStep_) {
        badStep_ = step;
        badField_ = quality.notFinite;
    }
    if (const std::string warning = qualityWarning(quality, settings_); !warning.empty() && !std::exchange(warned_, true))
        log_.note(fmt::format("step {}: {}", step, warning));
    if (stats_) stats_->measured(step, quality);
}

void Film::requireFinite() const {
    if (badStep_)
        throw Failure(Exit::NotFinite,
                      fmt::format("step {}: {} is no longer finite; {} good frames were written", *badStep_, badField_, written()));
}

void Film::reloadShaders() {
    if (options_.watchShaders.empty()) return;
    for (const std::string& message : shaders_.reload()) log_.note(message);
}

void Film::complete() {
    if (frames_) frames_->finish();
    if (volumes_) volumes_->finish();
    if (stats_) stats_->finish();
    if (probes_) probes_->finish();
    if (trace_) trace_->finish();
}

}  // namespace wisp::app
