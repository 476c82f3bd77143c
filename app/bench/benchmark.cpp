// SPDX-License-Identifier: MIT
#include "app/bench/benchmark.h"

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/base/scene_values.h"
#include "app/output/trace.h"
#include "files/base/failure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace wisp::app {
namespace {

constexpr std::size_t kPassSteps = 50;       // enough for medians; timing every pass makes steps slightly slower
constexpr std::size_t kInspectionSteps = 2;  // see Simulation::inspect

/// In path mode a picture has one sample.
Scene withOneSample(const Scene& scene) {
    Scene one = scene;
    if (valueOf<std::string>(scene, "render.mode") == "path") one.set("render.samples", 1);
    return one;
}

RendererOptions pictureOf(const Scene& scene) {
    const auto size = valueOf<std::array<std::uint32_t, 2>>(scene, "render.size");
    return {.width = size[0], .height = size[1]};
}

/// Adds up the submits of each step: its own, and those of its picture.
class StepTimes {
public:
    explicit StepTimes(std::function<void(const SubmitTimes&)> done) : done_(std::move(done)) {}

    void add(const SubmitTimes& submit) {
        if (submit.stepped) finish();
        if (!step_) {
            step_ = submit;
            return;
        }
        step_->recordMs += submit.recordMs;
        step_->submitMs += submit.submitMs;
        for (const PassTime& pass : submit.passes) add(pass);
    }
    /// After the last step.
    void finish() {
        if (step_) done_(*step_);
        step_.reset();
    }

private:
    void add(const PassTime& pass) {
        const auto same = std::ranges::find_if(step_->passes,
                                               [&](const PassTime& p) { return p.name == pass.name && p.scope == pass.scope; });
        if (same == step_->passes.end()) {
            step_->passes.push_back(pass);
            return;
        }
        same->calls += pass.calls;
        same->ms += pass.ms;
        same->threads += pass.threads;
        same->bytes += pass.bytes;
    }

    std::function<void(const SubmitTimes&)> done_;
    std::optional<SubmitTimes> step_;
};

class Benchmark {
public:
    Benchmark(const BenchOptions& options, const Scene& scene, Device& device, const Log& log)
        : options_(options),
          device_(device),
          log_(log),
          peaks_(device.peaks()),
          simulation_(device, withOneSample(scene), benchSimulation(options)),
          tracesPaths_(options.render && valueOf<std::string>(scene, "render.mode") == "path") {
        if (options.render) renderer_.emplace(simulation_, pictureOf(scene));
    }

    BenchResult run(TraceFile* trace);

private:
    void steps(std::size_t count);
    void measureOne();
    void timeSteps();
    void timePasses(TraceFile* trace);
    void inspectPasses();

    const BenchOptions& options_;
    Device& device_;
    const Log& log_;
    DevicePeaks peaks_;  // measured first, so that its memory is free before the simulation allocates
    Simulation simulation_;
    std::optional<Renderer> renderer_;
    bool tracesPaths_;
    BenchResult result_;
    std::size_t done_ = 0;
    Progress progress_{log_, "step", options_.warmup + options_.steps + std::min(options_.steps, kPassSteps) + kInspectionSteps};
};

/// Submits every step and every picture separately.
void Benchmark::steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (interrupted()) throw Failure(Exit::Interrupted, "interrupted");
        simulation_.step();
        if (renderer_) renderer_->draw();
        progress_.advance(++done_);
        if (done_ == 1) log_.debug(device_.savePipelines());
    }
    simulation_.wait();
}

void Benchmark::measureOne() {
    simulation_.setTiming(Timing::Off);
    simulation_.setResiduals(true);
    simulation_.step();
    simulation_.setResiduals(false);
    result_.quality = simulation_.quality();
    if (tracesPaths_) result_.path = renderer_->refine(1);
}

void Benchmark::timeSteps() {
    StepTimes times([this](const SubmitTimes& step) {
        result_.whole.add(step.passes);
        result_.recordMs.push_back(step.recordMs);
        result_.submitMs.push_back(step.submitMs);
    });
    steps(options_.warmup);
    simulation_.wait();
    simulation_.onTimes([&](const SubmitTimes& submit) { times.add(submit); });
    const auto start = std::chrono::steady_clock::now();
    steps(options_.steps);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    times.finish();
    simulation_.onTimes({});
    result_.wallMs = wall.count() / static_cast<double>(options_.steps);
    result_.memory = device_.memoryUsed();
    result_.resources = device_.memory();
}

void Benchmark::timePasses(TraceFile* trace) {
    simulation_.setTiming(Timing::Passes, trace != nullptr);
    StepTimes times([this](SubmitTimes step) {
        std::erase_if(step.passes, [](const PassTime& t) { return t.scope; });
        result_.passes.add(step.passes);
    });
    simulation_.onTimes([&](const SubmitTimes& submit) { times.add(submit); });
    if (trace) {
        trace->describe(device_.name(), simulation_.traceClock());
        simulation_.onTrace([trace](const SubmitTrace& submit) { trace->add(submit); });
    }
    steps(std::min(options_.steps, kPassSteps));
    times.finish();
    simulation_.onTimes({});
}

/// Runs after all timing, because it compiles other shaders.
void Benchmark::inspectPasses() {
    if (interrupted()) throw Failure(Exit::Interrupted, "interrupted");
    progress_.phase("counting operations and fetches");
    std::vector<std::string> passes;
    for (const TimingRow& row : result_.passes.rows())
        if (row.threads > 0) passes.push_back(row.name);
    result_.work = simulation_.inspect(renderer_ ? &*renderer_ : nullptr, passes);
    progress_.advance(done_ += kInspectionSteps);
}

BenchResult Benchmark::run(TraceFile* trace) {
    progress_.phase("compiling shaders");
    result_.peaks = peaks_;
    timeSteps();
    measureOne();
    timePasses(trace);
    inspectPasses();
    device_.checkValidation();
    progress_.stop();
    return std::move(result_);
}

}  // namespace

DeviceOptions inspecting(DeviceOptions options) {
    options.pipelineStatistics = true;
    return options;
}

SimulationOptions benchSimulation(const BenchOptions& options) {
    SimulationOptions simulation{.moves = false, .timing = Timing::Scopes};
    simulation.needs.picture = options.render;
    return simulation;
}

std::uint64_t benchMemory(const BenchOptions& options, const Scene& scene, const Device& device) {
    std::uint64_t bytes = 0;
    for (const MemoryUse& use : Simulation::plan(device, scene, benchSimulation(options))) bytes += use.bytes;
    return bytes;
}

BenchResult runBenchmark(const BenchOptions& options, const Scene& scene, Device& device, const Log& log, TraceFile* trace) {
    return Benchmark(options, scene, device, log).run(trace);
}

}  // namespace wisp::app
