// SPDX-License-Identifier: MIT
#include "app/bench/profile_page.h"

#include "app/bench/compare.h"
#include "app/bench/options.h"
#include "app/bench/plot.h"
#include "files/base/bytes.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wisp::app {
namespace {

constexpr std::size_t kMemoryBars = 20, kHistoryPasses = 7;

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><title>wisp profile</title><style>
body { background: #12151c; color: #cfd5e1; font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1160px; padding: 28px; }
h1 { color: #fff; font-size: 26px; margin: 0; } h2 { color: #fff; font-size: 18px; margin: 0 0 4px; } p { color: #8f99ad; margin: 0 0 12px; }
section { background: #191d27; border: 1px solid #262c3a; border-radius: 10px; margin-top: 22px; overflow-x: auto; padding: 18px 22px; }
svg { display: block; width: 100%; } svg text { fill: #aeb7c8; font: 12px system-ui, sans-serif; }
.grid { stroke: #2a3040; } .bar { fill: #5aa9ff; } .mark { stroke: #ffb454; stroke-width: 2; }
table { border-collapse: collapse; font-size: 13px; width: 100%; } th { color: #8f99ad; cursor: pointer; font-weight: 500; }
td, th { border-bottom: 1px solid #262c3a; padding: 4px 8px; text-align: right; } td:first-child, th:first-child { text-align: left; }
.facts { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 16px; } .facts div { background: #191d27; border: 1px solid #262c3a; border-radius: 10px; padding: 10px 16px; }
.facts b { color: #fff; display: block; font-size: 20px; }
</style></head><body>
)";

// A click on a column header sorts the table. Must not contain characters that XML requires to be escaped.
constexpr const char* kTail = R"(<script>
document.querySelectorAll('th').forEach(function (head) {
    head.onclick = function () {
        var body = head.closest('table').tBodies[0], n = head.cellIndex, rows = Array.from(body.rows);
        var key = function (row) { return row.cells[n].textContent; };
        rows.sort(function (a, b) { var d = parseFloat(key(b)) - parseFloat(key(a)); return isNaN(d) ? key(a).localeCompare(key(b)) : d; });
        rows.forEach(function (row) { body.appendChild(row); });
    };
});
</script></body></html>
)";

double number(const Json& json, const char* key) { return json.at(key).get<double>(); }
std::string string(const Json& json, const char* key) { return json.at(key).get<std::string>(); }
double stepOf(const Json& report) { return number(report["gpu_ms"]["step"], "median"); }

std::string section(const char* id, const char* title, const std::string& about, const std::string& body) {
    if (body.empty()) return {};
    return fmt::format("<section id=\"{}\"><h2>{}</h2><p>{}</p>\n{}</section>\n", id, title, escapeXml(about), body);
}

std::string gridText(const Json& cells) {
    const auto n = cells.get<std::array<std::uint64_t, 3>>();
    return fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

std::string facts(const Json& r) {
    std::string html = fmt::format("<h1>{}</h1><p>{} ({}), grid {}, pressure {}, {} storage</p><div class=\"facts\">",
                                   escapeXml(string(r, "scene")), escapeXml(string(r, "device")), escapeXml(string(r, "driver")),
                                   gridText(r["grid"]), gridText(r["pressure_grid"]), escapeXml(string(r, "precision")));
    const auto fact = [&](const std::string& value, const std::string& what) {
        html += fmt::format("<div><b>{}</b>{}</div>", escapeXml(value), escapeXml(what));
    };
    for (const auto& [name, scope] : r["gpu_ms"].items()) fact(fmt::format("{:.4g} ms", number(scope, "median")), "GPU time per " + name);
    if (r.contains("cpu_ms")) fact(fmt::format("{:.3g} ms", number(r["cpu_ms"], "median")), "CPU time per frame");
    const Json& peaks = r["roofs"];
    fact(fmt::format("{:.4g} GB/s", number(peaks, "copy_gb_per_s")), "copy by " + string(peaks, "copied_by"));
    for (const auto& [key, what] :
         {std::pair{"operations_per_s", "operations/s"}, {"samples_per_s", "trilinear samples/s"}, {"fetches_per_s", "fetches/s"}})
        fact(fmt::format("{:.4g} G", number(peaks, key) * 1e-9), what);
    fact(formatBytes(r["memory_bytes"].get<std::uint64_t>()), "memory");
    for (const char* key : {"residual", "fine_divergence_rms", "leaked_mass", "crossed_mass"})
        if (const auto q = r["quality"].find(key); q != r["quality"].end() && q->is_number())
            fact(fmt::format("{:.2g}", q->get<double>()), key);
    return html + "</div>\n";
}

std::string boundText(const Json& p) { return fmt::format("{:.0f} % of {}", number(p, "percent_of_bound"), string(p, "bound_by")); }

/// Time of the pass [ms] if it ran at the device peak that bounds it.
double leastTime(const Json& p) { return number(p, "median_ms") * number(p, "percent_of_bound") * 0.01; }

std::string times(const Json& r) {
    std::vector<Bar> bars;
    for (const Json& p : r["passes"])
        bars.push_back({fmt::format("{} ({})", string(p, "name"), p["calls"].get<std::uint64_t>()),
                        fmt::format("{:.4g} ms, {}", number(p, "median_ms"), boundText(p)), number(p, "median_ms"), leastTime(p)});
    return bars.empty() ? "" : barPlot(bars);
}

/// Plots the time of each pass over its time at the device peak that bounds it, one series per peak. A pass on the line runs at the peak.
std::string roofline(const Json& r) {
    Series peak{"device peak", {}};
    std::vector<Series> passes;
    double least = 1e30, most = 0.0;
    for (const Json& p : r["passes"]) {
        const double ms = number(p, "median_ms"), atPeak = 1e3 * leastTime(p);
        if (atPeak <= 0.0 || ms <= 0.0) continue;
        least = std::min(least, atPeak);
        most = std::max(most, atPeak);
        const std::string bound = string(p, "bound_by");
        auto series = std::ranges::find(passes, bound, &Series::name);
        if (series == passes.end()) series = passes.insert(series, {bound, {}, false});
        series->points.push_back({atPeak, 1e3 * ms, fmt::format("{}: {:.4g} ms, {}", string(p, "name"), ms, boundText(p))});
    }
    for (const double us : {least, most}) peak.points.push_back({us, us, ""});
    passes.insert(passes.begin(), peak);
    return most > 0.0 ? linePlot({"time at the device peak [us]", "time [us]"}, passes) : "";
}

std::string table(const Json& r) {
    std::string html = "<table><thead><tr>";
    for (const char* head : {"pass", "calls", "threads", "median [ms]", "p95", "min", "min MB", "GB/s", "% of copy peak", "M operations",
                             "M samples", "M fetches", "M buffer words", "% of peak", "bound by"})
        html += fmt::format("<th>{}</th>", head);
    html += "</tr></thead><tbody>\n";
    for (const Json& p : r["passes"]) {
        html += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.4f}</td><td>{:.4f}</td><td>{:.4f}</td><td>{:.2f}</td><td>{:.1f}</td><td>{:.1f}</"
            "td>",
            escapeXml(string(p, "name")), p["calls"].get<std::uint64_t>(), p["threads"].get<std::uint64_t>(), number(p, "median_ms"),
            number(p, "p95_ms"), number(p, "min_ms"), number(p, "bytes") * 1e-6, number(p, "gb_per_s"), number(p, "percent_of_copy"));
        for (const char* key : {"operations", "samples", "fetches", "buffer_words"})
            html += fmt::format("<td>{:.3g}</td>", number(p, key) * 1e-6);
        html += fmt::format("<td>{:.1f}</td><td>{}</td></tr>\n", number(p, "percent_of_bound"), escapeXml(string(p, "bound_by")));
    }
    return html + "</tbody></table>\n";
}

std::string memory(const Json& r) {
    std::vector<Bar> bars;
    for (const Json& m : r["memory"])
        if (bars.size() < kMemoryBars)
            bars.push_back({string(m, "name"), fmt::format("{}, {}", formatBytes(m["bytes"].get<std::uint64_t>()), string(m, "layout")),
                            number(m, "bytes")});
    return bars.empty() ? "" : barPlot(bars);
}

std::string history(const std::vector<const Json*>& reports) {
    if (reports.size() < 2) return {};
    Axes axes{"report", "median [ms]", false, false};
    Series step{"step", {}};
    for (std::size_t i = 0; i < reports.size(); ++i) {
        axes.names.push_back(fmt::format("{}", i + 1));
        step.points.push_back({static_cast<double>(i), stepOf(*reports[i]), fmt::format("step: {:.4g} ms", stepOf(*reports[i]))});
    }
    std::vector<Series> all{step};
    for (const Json& pass : reports.back()->at("passes")) {
        if (all.size() > kHistoryPasses) break;
        Series s{string(pass, "name"), {}};
        for (std::size_t i = 0; i < reports.size(); ++i)
            for (const Json& p : reports[i]->at("passes"))
                if (p["name"] == pass["name"])
                    s.points.push_back(
                        {static_cast<double>(i), number(p, "median_ms"), fmt::format("{}: {:.4g} ms", s.name, number(p, "median_ms"))});
        all.push_back(std::move(s));
    }
    return linePlot(axes, all);
}

std::string growth(const Json& sweep) {
    const bool cells = string(sweep, "sweep") == "cells";
    Axes axes{cells ? "million cells" : string(sweep, "sweep"), "step [ms], and step per million cells [ms]", cells, true};
    Series step{"step", {}}, perCell{"per million cells", {}};
    for (const Json& run : sweep["runs"]) {
        if (run.contains("skipped")) continue;
        const auto n = run["grid"].get<std::array<double, 3>>();
        const double millions = n[0] * n[1] * n[2] * 1e-6, x = cells ? millions : static_cast<double>(axes.names.size());
        if (!cells) axes.names.push_back(string(run, "value"));
        step.points.push_back({x, stepOf(run), fmt::format("{}: {:.4g} ms", string(run, "value"), stepOf(run))});
        perCell.points.push_back(
            {x, stepOf(run) / millions, fmt::format("{}: {:.4g} ms per million cells", string(run, "value"), stepOf(run) / millions)});
    }
    return linePlot(axes, {step, perCell});
}

}  // namespace

std::string profilePage(const std::vector<Json>& reports) {
    std::vector<const Json*> single;
    std::string sweeps;
    const Json* newest = nullptr;
    for (const Json& r : reports) {
        if (!r.contains("runs")) {
            single.push_back(newest = &r);
            continue;
        }
        sweeps += section("growth", "Growth", fmt::format("Time of a step as a function of {}.", string(r, "sweep")), growth(r));
        for (const Json& run : r["runs"])
            if (!run.contains("skipped")) newest = &run;
    }
    std::string page = kHead;
    if (newest) {
        page += facts(*newest);
        page += section(
            "times", "Times",
            "Median GPU time per frame of every pass (number of calls in parentheses), and the device peak that bounds it: the copy "
            "bandwidth for the minimum number of bytes that the pass must move, arithmetic operations, trilinear samples or fetches. "
            "The mark is the time that the pass would take at this peak.",
            times(*newest));
        page += section("roofline", "Roofline", "Points above the line run slower than the hardware limit.", roofline(*newest));
        page += section("table", "Passes", "Click a column header to sort.", table(*newest));
        page += section("memory", "Memory", "The largest resources.", memory(*newest));
    }
    page += section("history", "History", "The reports in the given order: the step, and the slowest passes of the newest report.",
                    history(single));
    return page + sweeps + kTail;
}

void profile(const ProfileOptions& options) {
    std::vector<Json> reports;
    for (const std::filesystem::path& file : options.reports) reports.push_back(readReportOrSweep(file));
    writeFileAtomically(options.html, profilePage(reports));
}

}  // namespace wisp::app
