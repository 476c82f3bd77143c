// SPDX-License-Identifier: MIT
#include "app/bench/sweep.h"

#include "app/base/interrupt.h"
#include "app/base/scene_values.h"
#include "app/bench/bench_report.h"
#include "app/run/quality_probe.h"
#include "files/base/bytes.h"
#include "files/base/failure.h"
#include "files/base/pending_file.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace wisp::app {
namespace {

struct Run {
    std::string value;
    BenchOptions options;
    Scene scene;
};

LoadOptions::Setting cellsSetting(const Sweep& sweep, const std::string& value, Cells unit) {
    const std::uint32_t common = std::gcd(unit[0], std::gcd(unit[1], unit[2]));
    for (std::uint32_t& n : unit) n /= common;
    const std::uint32_t longest = std::ranges::max(unit);
    std::uint32_t cells = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), cells);
    if (parsed.ec != std::errc{} || parsed.ptr != value.data() + value.size() || cells == 0 || cells % longest != 0)
        throw Failure(Exit::Usage,
                      fmt::format("--sweep {}={}: must be a multiple of {}, to keep the proportions {}:{}:{} of the scene's grid",
                                  sweep.key, value, longest, unit[0], unit[1], unit[2]));
    const std::uint32_t times = cells / longest;
    return {"grid.cells", fmt::format("[{}, {}, {}]", unit[0] * times, unit[1] * times, unit[2] * times),
            fmt::format("--sweep {}={}", sweep.key, value)};
}

std::vector<Run> runsOf(const BenchOptions& options, const Sweep& sweep) {
    const Cells unswept = SceneCells(Scene::load(options.common.scene, options.common.load)).velocity;
    std::vector<Run> runs;
    for (const std::string& value : sweep.values) {
        BenchOptions one = options;
        one.common.load = sweptOptions(options.common.load, sweep, value, unswept);
        runs.push_back({value, one, Scene::load(one.common.scene, one.common.load)});
    }
    return runs;
}

/// The report of one run, or the reason why the run was skipped.
Json reportOf(const Run& run, Device& device, const Log& log) {
    Json json = {{"value", run.value}};
    try {
        Simulation::requireMemory(device, run.scene, benchSimulation(run.options));
        json.update(benchReport(runBenchmark(run.options, run.scene, device, log), run.options, run.scene, device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::OutOfMemory) throw;
        json["skipped"] = e.what();
    }
    return json;
}

void printRun(const Json& json) {
    if (json.contains("skipped"))
        return fmt::print("{:<14} skipped: {}\n", json["value"].get<std::string>(), json["skipped"].get<std::string>());
    const Json &gpu = json["gpu_ms"], &quality = json["quality"];
    const auto cells = json["grid"].get<std::array<double, 3>>();
    const double step = gpu["step"]["median"].get<double>(), millions = cells[0] * cells[1] * cells[2] * 1e-6;
    fmt::print("{:<14} {:>16} {:>10.4f} {:>10.4f} {:>10} {:>11.4f} {:>7.1f} {:>12} {:>10.2e} {:>10.2e} {:>9.3f}\n",
               json["value"].get<std::string>(), fmt::format("{}x{}x{}", cells[0], cells[1], cells[2]), step,
               gpu["step"]["p95"].get<double>(), gpu.contains("frame") ? fmt::format("{:.4f}", gpu["frame"]["median"].get<double>()) : "-",
               step / millions, gpu["step"]["percent_of_copy"].get<double>(), formatBytes(json["memory_bytes"].get<std::uint64_t>()),
               quality["residual"].get<double>(), quality["fine_divergence_rms"].get<double>(), quality["max_speed"].get<double>());
}

}  // namespace

Sweep parseSweep(const std::string& text) {
    std::optional<KeyValues> sweep = parseKeyValues(text);
    if (!sweep) throw Failure(Exit::Usage, fmt::format("--sweep {}: must be KEY=VALUE,VALUE,..., such as cells=64,128,256", text));
    return std::move(*sweep);
}

LoadOptions sweptOptions(const LoadOptions& options, const Sweep& sweep, const std::string& value, const Cells& unswept) {
    LoadOptions swept = options;
    if (sweep.key == "cells") {
        swept.set.push_back(cellsSetting(sweep, value, unswept));
        swept.quality = "standard";  // another level would scale the cells again
    } else {
        swept.set.push_back({sweep.key, value, fmt::format("--sweep {}={}", sweep.key, value)});
    }
    return swept;
}

void runSweep(const BenchOptions& options, const Log& log) {
    const Sweep sweep = parseSweep(options.sweep);
    std::vector<Run> runs = runsOf(options, sweep);
    Device device(inspecting(options.common.device));
    // All runs use the same level, chosen for the scene without the swept values.
    if (options.common.autoQuality && sweep.key != "cells") {
        BenchOptions settled = options;
        const Scene scene = Scene::load(options.common.scene, options.common.load);
        const auto memory = [&](const Scene& s) { return benchMemory(options, s, device); };
        settled.common.load.quality = chooseQuality(device, scene, memory, log);
        runs = runsOf(settled, sweep);
    }
    std::optional<PendingFile> file;
    if (!options.json.empty()) file.emplace(options.json);
    catchInterrupts();
    Json all = {
        {"wisp", WISP_VERSION}, {"device", device.name()}, {"driver", device.driver()}, {"sweep", sweep.key}, {"runs", Json::array()}};
    fmt::print("{} on {} ({})\n\n{:<14} {:>16} {:>10} {:>10} {:>10} {:>11} {:>7} {:>12} {:>10} {:>10} {:>9}\n",
               valueOf<std::string>(runs.front().scene, "name"), device.name(), device.driver(), sweep.key, "cells", "step [ms]", "p95",
               "frame", "ms/Mcell", "% copy", "memory", "residual", "fine div.", "max speed");
    for (const Run& run : runs) {
        all["runs"].push_back(reportOf(run, device, log));
        printRun(all["runs"].back());
        std::fflush(stdout);
    }
    if (!file) return;
    file->write(prettyJson(all));
    file->commit();
}

}  // namespace wisp::app
