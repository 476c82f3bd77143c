// SPDX-License-Identifier: MIT
#include "app/base/interrupt.h"
#include "app/bench/bench_report.h"
#include "app/bench/compare.h"
#include "app/bench/sweep.h"
#include "app/output/trace.h"
#include "app/run/quality_probe.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>

namespace wisp::app {
namespace {

/// Files are created before the run, so that an unwritable path fails before the time is spent.
std::optional<PendingFile> openIf(const std::filesystem::path& path) {
    std::optional<PendingFile> file;
    if (!path.empty()) file.emplace(path);
    return file;
}

void writeAll(std::optional<PendingFile>& file, const std::string& text) {
    if (!file) return;
    file->write(text);
    file->commit();
}

void benchOne(const BenchOptions& options, const Log& log) {
    Scene scene = Scene::load(options.common.scene, options.common.load);
    std::optional<Json> old;
    if (!options.compare.empty()) old = readReport(options.compare);
    Device device(inspecting(options.common.device));
    if (options.common.autoQuality)
        scene.setQuality(chooseQuality(
            device, scene, [&](const Scene& s) { return benchMemory(options, s, device); }, log));
    if (old) requireComparable(*old, reportHeader(options, scene, device), options.compare);
    Simulation::requireMemory(device, scene, benchSimulation(options));
    for (const SceneProblem& p : scene.warnings()) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    std::optional<PendingFile> json = openIf(options.json), csv = openIf(options.csv);
    std::optional<TraceFile> trace;
    if (!options.trace.empty()) trace.emplace(options.trace);
    catchInterrupts();
    const BenchResult result = runBenchmark(options, scene, device, log, trace ? &*trace : nullptr);
    const Json report = benchReport(result, options, scene, device);
    printReport(report);
    writeAll(json, prettyJson(report));
    writeAll(csv, reportCsv(report));
    if (trace) trace->finish();
    if (!result.quality.finite())
        throw Failure(Exit::NotFinite,
                      fmt::format("step {}: {} is no longer finite", options.warmup + options.steps + 1, result.quality.notFinite));
    if (old) compareReports(*old, report, options.threshold);
}

}  // namespace

void bench(const BenchOptions& options, const Log& log) { options.sweep.empty() ? benchOne(options, log) : runSweep(options, log); }

}  // namespace wisp::app
