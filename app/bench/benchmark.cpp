// SPDX-License-Identifier: MIT
#include "app/bench/benchmark.h"

#include "app/run/start.h"

#include "api/profile_impl.h"
#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/output/trace.h"
#include "compute/picture/picture.h"
#include "compute/scene/motion.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"

#include <algorithm>
#include <chrono>

namespace wisp::app {
namespace {

constexpr std::size_t kPassSteps = 50;  // enough for medians; timing every pass makes steps slightly slower

class Benchmark {
public:
    Benchmark(const BenchOptions& options, const Settings& settings, engine::Device& device, const Log& log)
        : options_(options), device_(device), log_(log), shaders_(device, embeddedShaders(), shaderOptions(settings)) {
        result_.peaks = engine::measureDevicePeaks(device);  // first, so that its memory is freed before the simulation allocates
        simulator_.emplace(device, settings);
        if (options.render) picture_.emplace(device, settings);
    }

    BenchResult run(TraceFile* trace);

private:
    void steps(engine::Recorder& rec, std::size_t count);
    void measureOne(engine::Recorder& rec);
    void timeSteps();
    void timePasses(TraceFile* trace);
    void countInvocations();
    void inspectPasses();

    const BenchOptions& options_;
    engine::Device& device_;
    const Log& log_;
    engine::ShaderLibrary shaders_;
    std::optional<FluidSimulator> simulator_;
    std::optional<ScenePicture> picture_;
    BenchResult result_;
    std::size_t done_ = 0;
    Progress progress_{log_, "step",
                       options_.warmup + options_.steps + std::min(options_.steps, kPassSteps) + 1 + (device_.report().statistics ? 1 : 0)};
};

/// Submits every step separately, so that the recorder's times per frame are times per step.
void Benchmark::steps(engine::Recorder& rec, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (interrupted()) throw Failure(Exit::Interrupted, "interrupted");
        rec.begin();
        {
            const engine::Recorder::Scope scope(rec, "step");
            simulator_->step(rec);
        }
        if (picture_) {
            const engine::Recorder::Scope scope(rec, "frame");
            if (VolumeRenderer* smoke = picture_->smoke()) smoke->restart(simulator_->stepCount());  // path mode: one sample per frame
            picture_->setScene(simulator_->settings(), simulator_->time());
            picture_->setCamera(cameraAt(simulator_->settings(), simulator_->time()));
            picture_->setExposure(
                exposureAt(simulator_->settings(), simulator_->time(), static_cast<double>(simulator_->settings().timeStep)));
            picture_->draw(rec, simulator_->fields());
        }
        rec.submit();
        if (rec.onTimes) {
            result_.recordMs.push_back(static_cast<double>(rec.cpu().submit - rec.cpu().record) * 1e-6);
            result_.submitMs.push_back(static_cast<double>(rec.cpu().end - rec.cpu().submit) * 1e-6);
        }
        progress_.advance(++done_);
        if (done_ == 1) log_.debug(shaders_.save());
    }
    rec.finish();
}

void Benchmark::measureOne(engine::Recorder& rec) {
    rec.begin();
    simulator_->step(rec, true);
    simulator_->measure(rec, [this](const Quality& q) { result_.quality = q; });
    VolumeRenderer* smoke = picture_ ? picture_->smoke() : nullptr;
    if (smoke && smoke->path()) {
        smoke->restart(simulator_->stepCount());
        smoke->draw(rec, simulator_->fields());
        smoke->path()->measure(rec, [this](const PathReport& report) { result_.path = report; });
    }
    rec.submit();
    rec.finish();
}

void Benchmark::timeSteps() {
    engine::Recorder rec(device_, shaders_, {engine::Timing::Scopes, benchNeeds(options_).readback});
    rec.begin();
    simulator_->reset(rec);
    rec.submit();
    steps(rec, options_.warmup);
    rec.onTimes = [this](const auto& times) { result_.whole.add(passTimesOf(times)); };
    const auto start = std::chrono::steady_clock::now();
    steps(rec, options_.steps);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    result_.wallMs = wall.count() / static_cast<double>(options_.steps);
    rec.onTimes = nullptr;
    result_.memory = device_.memory().used();
    result_.resources = device_.memory().allocations();
    measureOne(rec);
}

void Benchmark::timePasses(TraceFile* trace) {
    const std::vector<double> record = std::exchange(result_.recordMs, {}), submit = std::exchange(result_.submitMs, {});
    engine::Recorder rec(device_, shaders_, {.timing = engine::Timing::Passes, .readbackBytes = kMeasureBytes, .trace = trace != nullptr});
    rec.onTimes = [this](std::vector<engine::PassTime> times) {
        std::erase_if(times, [](const engine::PassTime& t) { return t.scope; });
        result_.passes.add(passTimesOf(times));
    };
    if (trace) {
        trace->describe(device_.report().name, {rec.clock()->isCalibrated(), rec.clock()->deviation()});
        rec.onTrace = [trace](const engine::FrameTrace& frame) { trace->add(traceOf(frame)); };
    }
    steps(rec, std::min(options_.steps, kPassSteps));
    result_.recordMs = record;  // keep the CPU times of steps without pass timing
    result_.submitMs = submit;
}

void Benchmark::countInvocations() {
    if (!device_.report().statistics) return;
    engine::Recorder rec(device_, shaders_, {.timing = engine::Timing::Passes, .readbackBytes = kSolveReadback, .statistics = true});
    steps(rec, 1);
    for (const engine::PassTime& t : rec.times())
        if (!t.scope && t.work.threads > 0) result_.invocations[t.name] = t.invocations;
}

/// Runs after all timing, because it recompiles the shaders.
void Benchmark::inspectPasses() {
    std::vector<std::string> passes;
    for (const TimingRow& row : result_.passes.rows())
        if (row.threads > 0) passes.push_back(row.name);
    for (const std::string& pass : passes)
        if (auto statistics = shaders_.statistics(pass); !statistics.empty()) result_.pipelines[pass] = std::move(statistics);
    // Passes over listed bricks have further constants, which instrumented shaders do not support.
    if (simulator_->settings().grid.sparse) return;
    engine::WorkCounter counter(device_, embeddedShaders(), shaders_.options(), passes);
    engine::Recorder rec(
        device_, counter.shaders(),
        {.timing = engine::Timing::Off, .readbackBytes = counter.buffer().bytes() + kSolveReadback, .workCounters = &counter.buffer()});
    counter.reset(rec);
    steps(rec, 1);
    result_.work = counter.read(rec);
}

BenchResult Benchmark::run(TraceFile* trace) {
    progress_.phase("compiling shaders");
    timeSteps();
    timePasses(trace);
    countInvocations();
    inspectPasses();
    device_.throwOnValidation();
    progress_.stop();
    return std::move(result_);
}

}  // namespace

Needs benchNeeds(const BenchOptions& options) { return {options.render, kMeasureBytes}; }

engine::DeviceOptions inspecting(const DeviceOptions& options) {
    engine::DeviceOptions own = engineOptions(options);
    own.pipelineStatistics = true;
    return own;
}

BenchResult runBenchmark(const BenchOptions& options, const Settings& settings, engine::Device& device, const Log& log, TraceFile* trace) {
    return Benchmark(options, settings, device, log).run(trace);
}

}  // namespace wisp::app
