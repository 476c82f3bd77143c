// SPDX-License-Identifier: MIT
#include "app/run/film.h"

#include "app/base/interrupt.h"
#include "app/base/scene_values.h"
#include "app/output/report.h"
#include "app/run/cache.h"
#include "app/run/render_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <span>

namespace wisp::app {
namespace {

/// Interval of checks for NaN and infinity [frames]. On a CPU device a check costs a third of a frame.
constexpr std::size_t kFramesPerMeasure = 8;
constexpr std::uint64_t kStepsPerProgress = 8;  // of a frame of more steps, whose progress is shown within it

FrameQueue::Encoded encodeTrace(std::optional<TraceFile>& trace) {
    if (!trace) return nullptr;
    return [&trace](std::size_t thread, std::size_t frame, std::int64_t begin, std::int64_t end) {
        trace->add("encode", thread, begin, end, frame);
    };
}

std::unique_ptr<FrameQueue> openPictures(const RenderOptions& options, const Scene& scene, std::size_t first, bool replaces, const Log& log,
                                         FrameQueue::Encoded encoded) {
    if (!options.picture) return nullptr;
    const char plane = valueOf<std::string>(scene, "view.field") == "smoke" ? 'Z' : 'V';
    const std::span<const std::size_t> left = options.frames.from(first);
    return std::make_unique<FrameQueue>(openWriter({.out = options.out,
                                                    .size = sizeOfPictures(scene),
                                                    .fps = options.fps,
                                                    .frames = options.frames,
                                                    .first = left.empty() ? first : left.front(),
                                                    .plane = plane,
                                                    .alpha = options.background == "transparent",
                                                    .overwrite = replaces},
                                                   log),
                                        std::move(encoded));
}

std::optional<FramePattern> openVolumes(const RenderOptions& options) {
    if (options.volume.empty()) return std::nullopt;
    FramePattern names = parseVolumePattern(options.volume, options.out, options.frames.size()).names;
    names.prepare();
    return names;
}

}  // namespace

std::uint32_t stepsPerFrame(const RenderOptions& options, const Scene& scene) {
    if (options.stepsPerFrame) return *options.stepsPerFrame;
    const auto step = static_cast<double>(valueOf<float>(scene, "time.step"));
    return static_cast<std::uint32_t>(std::max(1l, std::lround(1.0 / (options.fps * step))));
}

glm::uvec2 sizeOfPictures(const Scene& scene) {
    const auto size = valueOf<std::array<std::uint32_t, 2>>(scene, "render.size");
    return {size[0], size[1]};
}

bool isPathTraced(const Scene& scene) {
    return valueOf<std::string>(scene, "render.mode") == "path" && valueOf<std::string>(scene, "view.field") == "smoke";
}

Film::Film(const RenderOptions& options, const RunStart& start, const SimulationOptions& simulation, Device& device, const Log& log)
    : options_(options),
      start_(start),
      log_(log),
      device_(device),
      stepsPerFrame_(stepsPerFrame(options, start.scene)),
      samples_(options.picture && isPathTraced(start.scene) ? valueOf<std::uint32_t>(start.scene, "render.samples") : 0),
      trace_(options.trace.empty() ? std::nullopt : std::make_optional<TraceFile>(options.trace)),
      first_(start.from ? start.from->film.pictures : 0),
      frame_(first_),
      content_(options.picture ? contentOf(options.out) : PictureContent::Display),
      frames_(
          openPictures(options, start.scene, first_, options.overwrite || start.from || options.readsCache(), log, encodeTrace(trace_))),
      volumeNames_(openVolumes(options)),
      progress_(log, traced() ? "sample" : "frame",
                traced() ? options.frames.from(first_).size() * samples_ : options.frames.last() + 1 - first_),
      simulation_(makeSimulation(simulation)) {
    const glm::uvec2 size = sizeOfPictures(start.scene);
    const double frameTime = options.from.empty() ? stepsPerFrame_ * simulation_.timeStep() : 1.0 / options.fps;
    if (options.picture) {
        renderer_.emplace(
            simulation_,
            RendererOptions{.width = size.x, .height = size.y, .transparent = background_.has_value(), .frameTime = frameTime});
        legend_.emplace(renderer_->legend(), size);
    }
    capacity_ = simulation_.particleCapacity();
    if (volumeNames_) volumes_.emplace(simulation_, simulation.needs.volumes);
    listen();
}

/// Files that cannot be written fail before the shaders are compiled.
Simulation Film::makeSimulation(const SimulationOptions& options) {
    if (!options_.background.empty()) background_.emplace(options_.background, options_.out, sizeOfPictures(start_.scene));
    if (!options_.stats.empty()) stats_.emplace(options_.stats);
    if (options.needs.probes) probes_.emplace(start_.scene);
    if (keeps()) PendingFile{checkpointFile()};
    if (!options_.watchShaders.empty()) device_.watchShaders(options_.watchShaders.string());
    progress_.phase("compiling shaders");
    try {
        if (!start_.from) return {device_, start_.scene, options};
        stepsOfFrame_ = start_.from->film.stepsSincePicture;
        kept_ = {start_.from->steps, frame_};
        Simulation simulation = Simulation::resume(device_, options_.common.resume.string(), start_.scene, options);
        log_.debug(fmt::format("resumes at step {}, frame {}", simulation.steps(), first_));
        return simulation;
    } catch (...) {
        reportNoCheckpoint();
        throw;
    }
}

void Film::listen() {
    if (stats_ || options_.ended) simulation_.onTimes([this](const SubmitTimes& times) { timed(times); });
    if (!trace_) return;
    trace_->describe(device_.name(), simulation_.traceClock());
    simulation_.onTrace([this](const SubmitTrace& submit) { trace_->add(submit); });
}

void Film::make() {
    const auto start = std::chrono::steady_clock::now();
    try {
        if (options_.writesCache() && checkpointDue() && !start_.from) keep();
        for (bool whole = true; frame_ <= options_.frames.last() && !interrupted();) {
            makeFrame(whole);
            if (!whole) break;
            ++frame_;
            stepsOfFrame_ = 0;
            if (checkpointDue()) keep();
            requireFinite();
            progress_.advance(passed());
        }
        finish();
    } catch (...) {
        // Keeps the finished frames. A second error here is ignored, so that the first one is reported.
        try {
            complete();
        } catch (...) {}
        reportNoCheckpoint();
        throw;
    }
    complete();
    progress_.advance(passed());  // the last path-traced frame may have ended early
    progress_.stop();
    if (const std::string warning = paths_.warning(); !warning.empty()) log_.note(warning);
    if (interrupted()) throw Failure(Exit::Interrupted, fmt::format("interrupted; {} frames are in {}", written(), output()));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    log_.note(fmt::format("{}: {} frames in {:.1f} s{}", output(), written(), seconds, traced() ? "; " + paths_.summary() : ""));
}

/// Where the run writes to, for messages.
std::string Film::output() const {
    return (options_.picture ? options_.out : options_.writesCache() ? options_.cache : options_.volume).string();
}

/// Whether the current frame gets files. Those of a cache are skipped if another process has written them meanwhile.
bool Film::wanted() const {
    if (!options_.frames.contains(frame_)) return false;
    return !options_.readsCache() || options_.overwrite || !isWritten(options_, frame_);
}

/// The steps of a frame, and its picture. `whole`: set to false if interrupted before the picture is complete.
void Film::makeFrame(bool& whole) {
    reloadShaders();
    const bool draws = wanted();
    const auto listed = static_cast<std::size_t>(options_.frames.contains(frame_));
    if (options_.from.empty()) makeSteps();
    // As in a simulation, the first picture shows the end of the first frame.
    else if (draws) simulation_.show(static_cast<double>(frame_ + 1) / options_.fps);
    if (draws) whole = takePicture();
    if (whole) listed_ += listed;
    if (!draws || drawn_++ > 0) return;
    log_.debug(device_.savePipelines());
    log_.debug(fmt::format("memory: {} bytes allocated", device_.memoryUsed()));
}

void Film::makeSteps() {
    // None if it was resumed from a checkpoint after the last step of a frame, before its image.
    while (stepsOfFrame_ < stepsPerFrame_) {
        simulation_.step();
        const bool last = ++stepsOfFrame_ == stepsPerFrame_;
        finishStep(last);
        if (last) break;
        if (stats_ || checkpointDue() || stepsOfFrame_ % kStepsPerProgress == 0) showSteps();
        if (checkpointDue()) keep();
    }
}

void Film::finishStep(bool last) {
    if (stats_) stats_->recorded(simulation_.steps(), simulation_.time());
    if (probes_ && probes_->due(simulation_.steps()))
        simulation_.sampleProbes([this](const ProbeSample& sample) { probes_->write(sample); });
    const bool ends = last || checkpointDue();
    if (stats_ || (ends && (frame_ % kFramesPerMeasure == 0 || frame_ == options_.frames.last()))) measure();
}

void Film::showSteps() {
    const std::string steps = fmt::format("step {}/{}", stepsOfFrame_, stepsPerFrame_);
    // In path mode progress counts samples, and the steps take little time in comparison.
    if (traced()) return progress_.advance(passed(), 0.0, steps);
    progress_.advance(passed(), static_cast<double>(passed()) + static_cast<double>(stepsOfFrame_) / stepsPerFrame_, steps);
}

/// Returns false if interrupted before the picture is complete.
bool Film::takePicture() {
    if (renderer_) {
        const auto goOn = [this](std::uint32_t samples) {
            progress_.advance(passed() + samples);
            return !interrupted();
        };
        if (!renderer_->draw(goOn)) return false;
        renderer_->fetch(content_, [this, number = frame_](const FetchedPicture& picture) { receive(number, picture); });
    }
    writeVolume();
    return true;
}

void Film::receive(std::size_t number, const FetchedPicture& picture) {
    if (traced()) paths_.add(picture);
    if (badStep_) return;
    range_ = picture.range;
    pictureTime_ = picture.time;
    std::vector<std::byte> pixels = frames_->spare();
    pixels.assign(picture.data, picture.data + picture.bytes);
    if (content_ == PictureContent::Display) legend_->draw(pixels, picture.range, picture.time);
    if (content_ == PictureContent::Display && background_) background_->putBehind(pixels);
    frames_->push(number, std::move(pixels));
}

void Film::writeVolume() {
    if (!volumes_) return;
    simulation_.wait();  // for measurements
    if (badStep_) return;
    volumes_->write(volumeNames_->name(frame_).string(), frame_);
    ++volumeCount_;
}

void Film::measure() {
    simulation_.measure([this](std::uint64_t step, const Quality& quality) { measured(step, quality); });
}

void Film::measured(std::uint64_t step, const Quality& quality) {
    if (!quality.finite() && !badStep_) {
        badStep_ = step;
        badField_ = quality.notFinite;
    }
    if (const std::string warning = qualityWarning(quality, capacity_); !warning.empty() && !std::exchange(warned_, true))
        log_.note(fmt::format("step {}: {}", step, warning));
    if (stats_) stats_->measured(step, quality);
}

void Film::timed(const SubmitTimes& times) {
    for (const PassTime& time : times.passes)
        if (time.scope && time.name == "step") {
            stepTimes_.first += time.calls;
            stepTimes_.second += time.ms;
        }
    if (stats_) logTimes(times);
}

/// The times of a step include those of its measurement, its probes and its picture, which are submits after it. Path-traced pictures do
/// not belong to a step.
void Film::logTimes(const SubmitTimes& times) {
    if (times.stepped) {
        if (passes_) stats_->timed(*passes_);
        passes_ = times.passes;
        return;
    }
    const bool isPicture = std::ranges::any_of(times.passes, [](const PassTime& t) { return t.scope && t.name == "frame"; });
    if (!passes_ || (isPicture && traced())) return;
    for (const PassTime& time : times.passes) {
        const auto known = std::ranges::find(*passes_, time.name, &PassTime::name);
        if (known == passes_->end()) {
            passes_->push_back(time);
        } else {
            known->calls += time.calls;
            known->ms += time.ms;
        }
    }
}

/// Waits for everything that is submitted.
void Film::settle() {
    simulation_.wait();
    if (renderer_) renderer_->flush();
}

/// Writes a checkpoint after all earlier frames are written. Fields with NaN or infinity are never saved.
void Film::keep() {
    if (!stats_) measure();
    settle();
    requireFinite();
    if (frames_) frames_->flush();
    if (volumes_) volumes_->flush();
    simulation_.save(checkpointFile().string(), {.pictures = frame_, .stepsSincePicture = stepsOfFrame_});
    kept_ = {simulation_.steps(), frame_};
    keptOwn_ = true;
    log_.debug(fmt::format("checkpoint written at step {}", simulation_.steps()));
}

bool Film::checkpointDue() const {
    if (!options_.writesCache()) return options_.every > 0 && simulation_.steps() % options_.every == 0;
    const std::size_t first = options_.frames.first();
    return stepsOfFrame_ == 0 && frame_ >= first && (frame_ - first) % options_.cacheEvery == 0;
}

std::filesystem::path Film::checkpointFile() const {
    return options_.writesCache() ? Cache(options_.cache).checkpoint(frame_) : options_.checkpoint;
}

void Film::reportNoCheckpoint() const {
    if (options_.checkpoint.empty()) return;
    log_.error(fmt::format("{}: no checkpoint was written at the end of the run; {}", options_.checkpoint.string(), lastCheckpoint()));
}

/// Describes the existing checkpoint file for an error message.
std::string Film::lastCheckpoint() const {
    if (keptOwn_) return fmt::format("the file has the checkpoint of step {}, frame {}", kept_.first, kept_.second);
    std::error_code ignored;
    return std::filesystem::is_regular_file(options_.checkpoint, ignored) ? "the file is older than this run" : "the file does not exist";
}

void Film::finish() {
    settle();
    requireFinite();
    if (keeps() && kept_ != std::pair{simulation_.steps(), frame_}) keep();
    device_.checkValidation();
    if (!options_.hash) return;
    for (const FieldHash& field : simulation_.hashes()) fmt::print("{:016x}  {}\n", field.hash, field.name);
}

FilmEnd Film::end() {
    FilmEnd end{.device = device_.name(), .driver = device_.driver()};
    end.steps = simulation_.steps() - (start_.from ? start_.from->steps : 0);
    if (stepTimes_.first > 0) end.msPerStep = stepTimes_.second / static_cast<double>(stepTimes_.first);
    if (options_.from.empty()) end.quality = simulation_.quality();
    if (!renderer_ || drawn_ == 0) return end;
    const PictureData picture = renderer_->read();
    end.size = {picture.width, picture.height};
    const auto bytes = std::as_bytes(std::span(picture.rgba));
    end.picture.assign(bytes.begin(), bytes.end());
    if (background_) background_->putBehind(end.picture);
    legend_->draw(end.picture, range_, pictureTime_);
    return end;
}

void Film::requireFinite() const {
    if (badStep_)
        throw Failure(Exit::NotFinite,
                      fmt::format("step {}: {} is no longer finite; {} good frames were written", *badStep_, badField_, written()));
}

void Film::reloadShaders() {
    if (options_.watchShaders.empty()) return;
    for (const std::string& message : device_.reloadShaders()) log_.note(message);
}

void Film::complete() {
    if (frames_) frames_->finish();
    if (volumes_) volumes_->flush();
    if (stats_) {
        if (passes_) stats_->timed(*passes_);
        stats_->finish();
    }
    if (probes_) probes_->finish();
    if (trace_) trace_->finish();
}

}  // namespace wisp::app
