// SPDX-License-Identifier: MIT
#include "app/bench/bench_report.h"

#include "app/base/scene_cells.h"
#include "app/base/scene_values.h"
#include "files/base/bytes.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr std::size_t kMemoryRows = 8;  // printed on the terminal
constexpr const char* kPipelineStatistics = "VK_KHR_pipeline_executable_properties";

// Timestamps have a resolution of 1 ns at best.
double rounded(double ms) { return std::round(ms * 1e6) / 1e6; }

Json spreadJson(const std::vector<double>& ms) {
    const TimeSpread s = timeSpread(ms);
    return {{"median", rounded(s.median)}, {"p95", rounded(s.p95)}, {"min", rounded(s.min)}};
}

Json samplesJson(const std::vector<double>& ms) {
    Json list = Json::array();
    for (const double v : ms) list.push_back(rounded(v));
    return list;
}

double percentOf(double peak, double count, double ms) { return peak > 0.0 && ms > 0.0 ? 1e5 * count / ms / peak : 0.0; }

/// Adds the bytes and the bandwidth.
void addSpeed(Json& json, std::uint64_t bytes, double ms, const DevicePeaks& peaks) {
    json["bytes"] = bytes;
    json["gb_per_s"] = ms > 0.0 ? static_cast<double>(bytes) / ms * 1e-6 : 0.0;
    json["percent_of_copy"] = percentOf(peaks.copy, static_cast<double>(bytes), ms);
}

/// Adds the counted work of the shader and the device peak that bounds the pass: the one of which it reaches the highest percentage.
void addWork(Json& json, const PassWork& work, double ms, const DevicePeaks& peaks) {
    json["operations"] = work.operations;
    json["samples"] = work.samples;
    json["fetches"] = work.fetches;
    json["buffer_words"] = work.bufferWords;
    const std::pair<const char*, double> measured[] = {
        {"operations", peaks.operations}, {"samples", peaks.samples}, {"fetches", peaks.fetches}};
    const char* bound = "copy";
    double most = json["percent_of_copy"].get<double>();
    for (const auto& [what, peak] : measured) {
        const double percent = percentOf(peak, json[what].get<double>(), ms);
        json[fmt::format("percent_of_{}", what)] = percent;
        if (percent > most) bound = what;
        most = std::max(most, percent);
    }
    json["bound_by"] = bound;
    json["percent_of_bound"] = most;
}

Json peaksJson(const DevicePeaks& peaks) {
    return {{"copy_gb_per_s", peaks.copy * 1e-9},
            {"copied_by", peaks.copiedByShader ? "a shader" : "vkCmdCopyBuffer"},
            {"operations_per_s", peaks.operations},
            {"samples_per_s", peaks.samples},
            {"fetches_per_s", peaks.fetches}};
}

Json scopeJson(const TimingTable& times, const char* name, const DevicePeaks& peaks) {
    const TimingRow* row = times.find(name);
    if (!row) return {{"median", 0.0}, {"p95", 0.0}, {"min", 0.0}};
    Json json = spreadJson(row->ms);
    addSpeed(json, row->bytes, json["median"].get<double>(), peaks);
    json["samples_ms"] = samplesJson(row->ms);
    return json;
}

Json passesJson(const BenchResult& r) {
    Json list = Json::array();
    std::vector<TimingRow> rows = r.passes.rows();
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TimingRow& a, const TimingRow& b) { return timeSpread(a.ms).median > timeSpread(b.ms).median; });
    for (const TimingRow& row : rows) {
        const TimeSpread s = timeSpread(row.ms);
        Json json = {{"name", row.name},         {"calls", row.calls},      {"threads", row.threads}, {"median_ms", rounded(s.median)},
                     {"p95_ms", rounded(s.p95)}, {"min_ms", rounded(s.min)}};
        const auto found = std::ranges::find(r.work, row.name, &PassWork::name);
        const PassWork work = found == r.work.end() ? PassWork{} : *found;
        if (work.invocations > 0) json["invocations"] = work.invocations;
        addSpeed(json, row.bytes, s.median, r.peaks);
        addWork(json, work, s.median, r.peaks);
        for (const PipelineStatistic& statistic : work.pipeline) json["pipeline"][statistic.name] = statistic.value;
        json["samples_ms"] = samplesJson(row.ms);
        list.push_back(std::move(json));
    }
    return list;
}

Json memoryJson(const BenchResult& r) {
    Json list = Json::array();
    std::vector<MemoryUse> rows = r.resources;
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (const MemoryUse& row : rows) list.push_back({{"name", row.name}, {"layout", row.layout}, {"bytes", row.bytes}});
    return list;
}

Json cpuJson(const BenchResult& r) {
    std::vector<double> both(r.recordMs.size());
    std::transform(r.recordMs.begin(), r.recordMs.end(), r.submitMs.begin(), both.begin(), std::plus{});
    Json json = spreadJson(both);
    json["record"] = spreadJson(r.recordMs);
    json["submit"] = spreadJson(r.submitMs);
    return json;
}

double numberOr0(const Json& json, const char* key) { return json.value(key, 0.0); }

std::string shareOfBound(const Json& work) {
    return work.contains("bound_by") ? fmt::format("{} {:.0f} %", work["bound_by"].get<std::string>(), numberOr0(work, "percent_of_bound"))
                                     : "";
}

void printRow(const std::string& name, std::uint64_t calls, const std::string& threads, double median, double p95, double min,
              const Json& work) {
    fmt::print("{:<26} {:>5} {:>11} {:>10.4f} {:>10.4f} {:>10.4f} {:>9.2f} {:>8.1f} {:>6.1f}  {}\n", name, calls, threads, median, p95, min,
               numberOr0(work, "bytes") * 1e-6, numberOr0(work, "gb_per_s"), numberOr0(work, "percent_of_copy"), shareOfBound(work));
}

}  // namespace

Json reportHeader(const BenchOptions& options, const Scene& scene, const Device& device) {
    const SceneCells cells(scene);
    Json json = {{"wisp", WISP_VERSION},         {"device", device.name()},
                 {"driver", device.driver()},    {"scene", valueOf<std::string>(scene, "name")},
                 {"grid", cells.velocity},       {"pressure_grid", cells.pressure},
                 {"scalar_grid", cells.scalars}, {"precision", valueOf<std::string>(scene, "grid.precision")}};
    const auto setting = [&](const char* key) {
        return Json::parse(scene.get(key));
    };  // plain names and numbers: the same in TOML and JSON
    for (const char* key : {"time.step", "pressure.solver", "pressure.iterations", "pressure.tolerance"})
        json["settings"][key] = setting(key);
    for (const char* key : {"render.mode", "render.size"}) json["settings"][key] = options.render ? setting(key) : Json("none");
    return json;
}

Json benchReport(const BenchResult& r, const BenchOptions& options, const Scene& scene, const Device& device) {
    Json json = reportHeader(options, scene, device);
    json["steps"] = options.steps;
    json["memory_bytes"] = r.memory;
    json["roofs"] = peaksJson(r.peaks);
    json["pipeline_statistics"] = device.hasPipelineStatistics() ? kPipelineStatistics
                                                                 : fmt::format("the device has no {}", kPipelineStatistics);
    json["gpu_ms"]["step"] = scopeJson(r.whole, "step", r.peaks);
    if (options.render) json["gpu_ms"]["frame"] = scopeJson(r.whole, "frame", r.peaks);
    json["cpu_ms"] = cpuJson(r);
    json["wall_ms"] = rounded(r.wallMs);
    json["passes"] = passesJson(r);
    if (r.path)
        json["path"] = {{"segments", r.path->segments},
                        {"segments_per_s", 1e3 * r.path->segments / r.passes.spread("path").median},
                        {"cut_samples", r.path->cut}};
    json["quality"] = qualityJson(r.quality);
    json["memory"] = memoryJson(r);
    return json;
}

void printReport(const Json& json) {
    fmt::print("{} on {} ({})\n", json["scene"].get<std::string>(), json["device"].get<std::string>(), json["driver"].get<std::string>());
    fmt::print("grid {}  pressure {}  {}  memory {}\n", json["grid"].dump(), json["pressure_grid"].dump(),
               json["precision"].get<std::string>(), formatBytes(json["memory_bytes"].get<std::uint64_t>()));
    const Json& peaks = json["roofs"];
    fmt::print("device peaks: copy by {} {:.4g} GB/s, {:.4g} G operations/s, {:.4g} G trilinear samples/s, {:.4g} G fetches/s\n\n",
               peaks["copied_by"].get<std::string>(), numberOr0(peaks, "copy_gb_per_s"), numberOr0(peaks, "operations_per_s") * 1e-9,
               numberOr0(peaks, "samples_per_s") * 1e-9, numberOr0(peaks, "fetches_per_s") * 1e-9);
    fmt::print("{:<26} {:>5} {:>11} {:>10} {:>10} {:>10} {:>9} {:>8} {:>6}  {}\n", "GPU time [ms]", "calls", "threads", "median", "p95",
               "min", "min MB", "GB/s", "% copy", "bound by");
    for (const auto& [name, s] : json["gpu_ms"].items())
        printRow(name, 1, "", numberOr0(s, "median"), numberOr0(s, "p95"), numberOr0(s, "min"), s);
    fmt::print("\n");
    for (const Json& p : json["passes"])
        printRow(p["name"].get<std::string>(), p["calls"].get<std::uint64_t>(), fmt::format("{}", p["threads"].get<std::uint64_t>()),
                 numberOr0(p, "median_ms"), numberOr0(p, "p95_ms"), numberOr0(p, "min_ms"), p);
    const Json& cpu = json["cpu_ms"];
    fmt::print("\nCPU time [ms]: median {:.4f}, p95 {:.4f}; recording {:.4f}, submitting {:.4f}\n", numberOr0(cpu, "median"),
               numberOr0(cpu, "p95"), numberOr0(cpu["record"], "median"), numberOr0(cpu["submit"], "median"));
    fmt::print("wall clock [ms]: mean {:.4f}\n\n", numberOr0(json, "wall_ms"));
    std::size_t rows = 0;
    for (const Json& m : json["memory"])
        if (rows++ < kMemoryRows)
            fmt::print("{:<32} {:>12}  {}\n", m["name"].get<std::string>(), formatBytes(m["bytes"].get<std::uint64_t>()),
                       m["layout"].get<std::string>());
    if (rows > kMemoryRows) fmt::print("and {} smaller resources\n", rows - kMemoryRows);
    fmt::print("\n");
    for (const char* part : {"path", "quality"})
        if (json.contains(part))
            for (const auto& [name, value] : json[part].items()) fmt::print("{:<32} {:>19}\n", name, value.dump());
}

std::string reportCsv(const Json& json) {
    std::string text =
        "name,calls,threads,invocations,median_ms,p95_ms,min_ms,bytes,gb_per_s,percent_of_copy,operations,samples,fetches,buffer_words,"
        "bound_by,percent_of_bound\n";
    const auto line = [&](const std::string& name, const Json& calls, const Json& threads, const Json& j, const char* suffix) {
        const auto value = [&](const char* key) { return j.contains(key) ? j[key].dump() : ""; };
        const auto time = [&](const char* key) { return value((key + std::string(suffix)).c_str()); };
        const std::string bound = j.contains("bound_by") ? j["bound_by"].get<std::string>() : "";
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name, calls.is_null() ? "" : calls.dump(),
                            threads.is_null() ? "" : threads.dump(), value("invocations"), time("median"), time("p95"), time("min"),
                            value("bytes"), value("gb_per_s"), value("percent_of_copy"), value("operations"), value("samples"),
                            value("fetches"), value("buffer_words"), bound, value("percent_of_bound"));
    };
    for (const auto& [name, s] : json["gpu_ms"].items()) line(name, 1, nullptr, s, "");
    for (const Json& p : json["passes"]) line(p["name"].get<std::string>(), p["calls"], p["threads"], p, "_ms");
    return text;
}

}  // namespace wisp::app
