// SPDX-License-Identifier: MIT
#include "app/bench/compare.h"

#include "app/base/statistics.h"
#include "files/base/failure.h"
#include "files/base/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wisp::app {
namespace {

constexpr double kMattersFrom = 0.02;  // fraction of the step time
constexpr std::size_t kMaxReportBytes = std::size_t{64} << 20;

void requireSamples(const Json& json, const char* median) {
    json.at(median).get<double>();
    for (const Json& v : json.at("samples_ms")) v.get<double>();
}

/// @throws the exceptions of Json, or std::invalid_argument
void requireReport(const Json& json) {
    for (const char* key : {"wisp", "device", "driver", "scene", "precision"}) json.at(key).get<std::string>();
    for (const char* key : {"grid", "pressure_grid", "scalar_grid"})
        if (json.at(key).get<std::vector<std::uint64_t>>().size() != 3) throw std::invalid_argument(key);
    if (!json.at("settings").is_object()) throw std::invalid_argument("settings");
    json.at("roofs").at("copied_by").get<std::string>();
    for (const char* key : {"copy_gb_per_s", "operations_per_s", "samples_per_s", "fetches_per_s"}) json.at("roofs").at(key).get<double>();
    json.at("memory_bytes").get<std::uint64_t>();
    json.at("gpu_ms").at("step");
    for (const auto& [name, scope] : json.at("gpu_ms").items()) requireSamples(scope, "median");
    if (const auto cpu = json.find("cpu_ms"); cpu != json.end()) cpu->at("median").get<double>();
    for (const Json& pass : json.at("passes")) {
        for (const char* key : {"name", "bound_by"}) pass.at(key).get<std::string>();
        for (const char* key : {"bytes", "threads", "calls", "operations", "samples", "fetches", "buffer_words"})
            pass.at(key).get<std::uint64_t>();
        for (const char* key : {"p95_ms", "min_ms", "gb_per_s", "percent_of_copy", "percent_of_bound"}) pass.at(key).get<double>();
        requireSamples(pass, "median_ms");
    }
    for (const Json& row : json.at("memory")) {
        for (const char* key : {"name", "layout"}) row.at(key).get<std::string>();
        row.at("bytes").get<std::uint64_t>();
    }
    if (!json.at("quality").is_object()) throw std::invalid_argument("quality");
}

void requireSweep(const Json& json) {
    json.at("sweep").get<std::string>();
    for (const Json& run : json.at("runs")) {
        run.at("value").get<std::string>();
        if (!run.contains("skipped")) requireReport(run);
        else run.at("skipped").get<std::string>();
    }
}

Json read(const std::filesystem::path& file, bool sweepToo) {
    Json json;
    try {
        json = parseJson(readText(file, kMaxReportBytes));
    } catch (const Json::exception& e) {
        throw Failure(Exit::Usage, fmt::format("{}: is not valid JSON: {}", file.string(), e.what()));
    } catch (const std::runtime_error& e) {
        throw Failure(Exit::Usage, fmt::format("{}: {}", file.string(), e.what()));
    }
    const bool isSweep = json.is_object() && json.contains("runs");
    if (isSweep && !sweepToo)
        throw Failure(Exit::Usage, fmt::format("{}: is the report of a sweep; a report without --sweep is needed", file.string()));
    try {
        isSweep ? requireSweep(json) : requireReport(json);
    } catch (const std::exception& e) {
        throw Failure(Exit::Usage, fmt::format("{}: is not a report of wisp bench --json of this version: {}", file.string(), e.what()));
    }
    return json;
}

Change changeOf(const std::string& name, const Json& before, const Json& now, const char* median) {
    const auto samples = [](const Json& json) { return json.at("samples_ms").get<std::vector<double>>(); };
    Change c{.name = name, .before = before.at(median), .now = now.at(median)};
    c.percent = c.before > 0.0 ? 100.0 * (c.now / c.before - 1.0) : 0.0;
    c.p = mannWhitney(samples(before), samples(now));
    return c;
}

const Json* passOf(const Json& report, const std::string& name) {
    for (const Json& pass : report.at("passes"))
        if (pass.at("name") == name) return &pass;
    return nullptr;
}

void printOnlyIn(const Json& report, const Json& other, const char* which) {
    for (const Json& pass : report.at("passes"))
        if (const std::string name = pass.at("name"); !passOf(other, name))
            fmt::print("{:<26} only in the {} report, {:.4f} ms\n", name, which, pass.at("median_ms").get<double>());
}

}  // namespace

Json readReport(const std::filesystem::path& file) { return read(file, false); }
Json readReportOrSweep(const std::filesystem::path& file) { return read(file, true); }

void requireComparable(const Json& old, const Json& header, const std::filesystem::path& file) {
    const auto require = [&](const std::string& key, const Json& before, const Json& now) {
        if (before != now)
            throw Failure(Exit::Usage,
                          fmt::format("--compare {}: {} is {} in that report and {} in this run, so the times cannot be compared",
                                      file.string(), key, before.dump(), now.dump()));
    };
    for (const auto& [key, value] : header.items())
        if (key != "wisp" && key != "settings") require(key, old.at(key), value);
    for (const auto& [key, value] : header.at("settings").items()) require(key, old.at("settings").value(key, Json()), value);
}

std::vector<Change> changesBetween(const Json& old, const Json& now) {
    std::vector<Change> changes;
    const Json& scopes = old.at("gpu_ms");
    for (const auto& [name, scope] : now.at("gpu_ms").items())
        if (scopes.contains(name)) changes.push_back(changeOf(name, scopes.at(name), scope, "median"));
    const double step = std::max(scopes.at("step").at("median").get<double>(), now.at("gpu_ms").at("step").at("median").get<double>());
    for (const Json& pass : now.at("passes")) {
        const std::string name = pass.at("name");
        const Json* before = passOf(old, name);
        if (!before) continue;
        Change c = changeOf(name, *before, pass, "median_ms");
        c.matters = std::max(c.before, c.now) >= kMattersFrom * step;
        changes.push_back(std::move(c));
    }
    return changes;
}

void compareReports(const Json& old, const Json& now, double threshold) {
    fmt::print("\n{:<26} {:>12} {:>12} {:>9} {:>9}\n", "changes [ms]", "before", "now", "%", "p");
    std::string slower;
    for (const Change& c : changesBetween(old, now)) {
        const bool regression = c.isRegression(threshold);
        fmt::print("{:<26} {:>12.4f} {:>12.4f} {:>+9.1f} {:>9.2g}{}\n", c.name, c.before, c.now, c.percent, c.p,
                   regression ? "  slower" : "");
        if (regression) slower += fmt::format("{}{} by {:.1f} %", slower.empty() ? "" : ", ", c.name, c.percent);
    }
    printOnlyIn(old, now, "old");
    printOnlyIn(now, old, "new");
    if (!slower.empty()) throw Failure(Exit::Failed, fmt::format("slower by more than {:g} %: {}", threshold, slower));
}

}  // namespace wisp::app
