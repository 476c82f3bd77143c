// SPDX-License-Identifier: MIT
#include "api/scene_impl.h"
#include "app/base/interrupt.h"
#include "app/bench/bench_report.h"
#include "app/bench/compare.h"
#include "app/bench/sweep.h"
#include "app/output/trace.h"
#include "app/run/quality_probe.h"
#include "compute/scene/scene_warnings.h"
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
    const LoadedScene scene = loadSceneAndCells(findScene(options.common.scene), optionsOf(options.common.load));
    std::optional<Json> old;
    if (!options.compare.empty()) old = readReport(options.compare);
    engine::Device device(inspecting(options.common.device));
    const Settings settings = options.common.autoQuality ? atLevel(scene, chooseQuality(device, scene, benchNeeds(options), log))
                                                         : scene.settings;
    if (old) requireComparable(*old, reportHeader(options, settings, device), options.compare);
    requireFit(device, settings, benchNeeds(options));
    for (const Problem& p : sceneWarnings(settings)) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    std::optional<PendingFile> json = openIf(options.json), csv = openIf(options.csv);
    std::optional<TraceFile> trace;
    if (!options.trace.empty()) trace.emplace(options.trace);
    catchInterrupts();
    BenchResult result;
    explainOutOfMemory(device, settings, benchNeeds(options),
                       [&] { result = runBenchmark(options, settings, device, log, trace ? &*trace : nullptr); });
    const Json report = benchReport(result, options, settings, device);
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
