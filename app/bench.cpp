// SPDX-License-Identifier: MIT
#include "app/interrupt.h"
#include "app/memory_plan.h"
#include "app/options.h"
#include "app/pending_file.h"
#include "app/progress.h"
#include "app/report.h"
#include "app/version.h"
#include "compute/mesh_report.h"
#include "compute/picture.h"
#include "compute/shaders.h"
#include "compute/smoke_simulator.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {
namespace {

constexpr std::size_t kPassSteps = 50;  // enough for medians; timing single passes slows the steps a little

/// One simulation that is timed twice: whole steps undisturbed, then pass by pass.
class Benchmark {
public:
    Benchmark(const BenchOptions& options, const Settings& settings, const Needs& needs, engine::Device& device,
              const Log& log)
        : options_(options),
          needs_(needs),
          device_(device),
          log_(log),
          progress_(log, "step", options.warmup + options.steps + std::min(options.steps, kPassSteps)),
          shaders_(device, embeddedShaders(), shaderOptions(settings)),
          simulator_(device, settings) {
        if (options.render) picture_.emplace(device, settings);
    }

    void run();
    [[nodiscard]] const TimingTable& whole() const { return whole_; }
    [[nodiscard]] const TimingTable& passes() const { return passes_; }
    [[nodiscard]] const Quality& quality() const { return quality_; }
    [[nodiscard]] const std::optional<PathReport>& path() const { return path_; }
    [[nodiscard]] std::uint64_t memory() const { return memory_; }

private:
    void steps(engine::Recorder& rec, std::size_t count);
    void measureOne(engine::Recorder& rec);

    const BenchOptions& options_;
    Needs needs_;
    engine::Device& device_;
    const Log& log_;
    Progress progress_;
    engine::ShaderLibrary shaders_;
    SmokeSimulator simulator_;
    std::optional<Picture> picture_;
    TimingTable whole_;
    TimingTable passes_;
    Quality quality_;
    std::optional<PathReport> path_;  ///< of one sample
    std::uint64_t memory_ = 0;
    std::size_t done_ = 0;
};

/// A step is a submit of its own, so that the time of a frame is that of a step.
void Benchmark::steps(engine::Recorder& rec, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (interrupted()) throw Failure(Exit::Interrupted, "interrupted");
        rec.begin();
        {
            const engine::Recorder::Scope scope(rec, "step");
            simulator_.step(rec);
        }
        if (picture_) {
            const engine::Recorder::Scope scope(rec, "frame");
            if (VolumeRenderer* smoke = picture_->smoke()) smoke->restart(simulator_.stepCount());  // a sample a frame in path mode
            picture_->draw(rec, simulator_.fields());
        }
        rec.submit();
        progress_.advance(++done_);
        if (done_ == 1) log_.debug(shaders_.save());
    }
    rec.finish();
}

void Benchmark::measureOne(engine::Recorder& rec) {
    rec.begin();
    simulator_.step(rec, true);
    simulator_.measure(rec, [this](const Quality& q) { quality_ = q; });
    VolumeRenderer* smoke = picture_ ? picture_->smoke() : nullptr;
    if (smoke && smoke->path()) {
        smoke->restart(simulator_.stepCount());
        smoke->draw(rec, simulator_.fields());
        smoke->path()->measure(rec, [this](const PathReport& report) { path_ = report; });
    }
    rec.submit();
    rec.finish();
}

void Benchmark::run() {
    progress_.phase("compiling shaders");
    {
        engine::Recorder rec(device_, shaders_, {engine::Timing::Scopes, needs_.readback});
        rec.begin();
        simulator_.reset(rec);
        rec.submit();
        steps(rec, options_.warmup);
        rec.onTimes = [this](const auto& times) { whole_.add(times); };
        steps(rec, options_.steps);
        rec.onTimes = nullptr;
        memory_ = device_.memory().used();
        measureOne(rec);
    }
    engine::Recorder rec(device_, shaders_, {engine::Timing::Passes, 0});
    rec.onTimes = [this](const std::vector<engine::PassTime>& times) {
        std::vector<engine::PassTime> single;
        std::copy_if(times.begin(), times.end(), std::back_inserter(single),
                     [](const engine::PassTime& t) { return !t.scope; });
        passes_.add(single);
    };
    steps(rec, std::min(options_.steps, kPassSteps));
    device_.throwOnValidation();
    progress_.stop();
}

std::vector<TimingRow> byTime(std::vector<TimingRow> rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TimingRow& a, const TimingRow& b) { return spreadOf(a.ms).median > spreadOf(b.ms).median; });
    return rows;
}

Json listOf(glm::uvec3 v) { return Json::array({v.x, v.y, v.z}); }

Json spreadJson(const Spread& s) { return {{"median", s.median}, {"p95", s.p95}}; }

Json reportOf(const Benchmark& b, const BenchOptions& options, const Settings& settings, const engine::Device& device) {
    Json json = {{"wisp", WISP_VERSION},
                 {"device", device.report().name},
                 {"driver", device.report().driver},
                 {"scene", settings.name},
                 {"grid", listOf(settings.grid.cells)},
                 {"pressure_grid", listOf(settings.grid.pressureCells())},
                 {"precision", settings.grid.precision == Precision::Half ? "half" : "float"},
                 {"steps", options.steps},
                 {"dt", static_cast<double>(settings.timeStep)},
                 {"memory_bytes", b.memory()}};
    json["gpu_ms"]["step"] = spreadJson(b.whole().spread("step"));
    if (options.render) json["gpu_ms"]["frame"] = spreadJson(b.whole().spread("frame"));
    json["passes"] = Json::array();
    for (const TimingRow& row : byTime(b.passes().rows())) {
        const Spread s = spreadOf(row.ms);
        json["passes"].push_back({{"name", row.name}, {"calls", row.calls}, {"median_ms", s.median}, {"p95_ms", s.p95}});
    }
    if (b.path())
        json["path"] = {{"segments", b.path()->segments},
                        {"segments_per_s", 1e3 * b.path()->segments / b.passes().spread("path").median},
                        {"cut_samples", b.path()->cut}};
    json["quality"] = qualityJson(b.quality());
    return json;
}

void printReport(const Json& json) {
    fmt::print("{} on {} ({})\n", json["scene"].get<std::string>(), json["device"].get<std::string>(),
               json["driver"].get<std::string>());
    fmt::print("grid {}  pressure {}  {}  memory {}\n\n", json["grid"].dump(), json["pressure_grid"].dump(),
               json["precision"].get<std::string>(), formatBytes(json["memory_bytes"].get<std::uint64_t>()));
    fmt::print("{:<32} {:>6} {:>12} {:>12}\n", "GPU time", "calls", "median [ms]", "p95 [ms]");
    for (const auto& [name, spread] : json["gpu_ms"].items())
        fmt::print("{:<32} {:>6} {:>12.4f} {:>12.4f}\n", name, 1, spread["median"].get<double>(),
                   spread["p95"].get<double>());
    fmt::print("\n");
    for (const Json& pass : json["passes"])
        fmt::print("{:<32} {:>6} {:>12.4f} {:>12.4f}\n", pass["name"].get<std::string>(), pass["calls"].get<unsigned>(),
                   pass["median_ms"].get<double>(), pass["p95_ms"].get<double>());
    fmt::print("\n");
    for (const char* part : {"path", "quality"})
        if (json.contains(part))
            for (const auto& [name, value] : json[part].items()) fmt::print("{:<32} {:>19}\n", name, value.dump());
}

}  // namespace

void bench(const BenchOptions& options, const Log& log) {
    const Settings settings = loadScene(findScene(options.common.scene), options.common.sceneOptions);
    engine::Device device(options.common.device);
    const Needs needs{options.render, kMeasureBytes};
    requireFit(device, settings, needs);
    for (const Problem& p : meshWarnings(settings)) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    std::optional<PendingFile> file;
    if (!options.json.empty()) file.emplace(options.json);  // fails now, rather than after the run
    catchInterrupts();
    Benchmark benchmark(options, settings, needs, device, log);
    benchmark.run();
    const Json json = reportOf(benchmark, options, settings, device);
    printReport(json);
    if (file) {
        file->write(json.dump(2) + "\n");
        file->commit();
    }
    if (!benchmark.quality().finite())
        throw Failure(Exit::NotFinite,
                      fmt::format("step {}: {} is no longer finite", options.warmup + options.steps + 1, benchmark.quality().notFinite));
}

}  // namespace wisp::app
