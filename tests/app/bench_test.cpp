// SPDX-License-Identifier: MIT
// wisp bench and wisp profile, end to end.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace wisp::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const std::string kTinyScene = " jet --set grid.cells=[32,16,16] --size 64x36 ";

class BenchCli : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    json read(const std::string& name) { return json::parse(readFile(scratch.path() / name)); }
    void write(const std::string& name, const std::string& text) { std::ofstream(scratch.path() / name) << text; }
    ScratchFolder scratch;
};

TEST_F(BenchCli, PassesAreAccountedFor) {
    const Outcome o = wisp("bench" + kTinyScene + "--steps 5 --warmup 2 --render --validate --json b.json --csv b.csv");
    expect(o, 0);
    EXPECT_THAT(o.output, AllOf(HasSubstr("% copy"), HasSubstr("bound by"), HasSubstr("trilinear samples/s"), HasSubstr("advect_velocity"),
                                HasSubstr("33x17x17 rgba16f")));
    const json report = read("b.json");
    const json& roofs = report.at("roofs");
    const double copy = roofs.at("copy_gb_per_s");
    EXPECT_GT(copy, 0.0);
    EXPECT_THAT(roofs.at("copied_by").get<std::string>(), testing::AnyOf("a shader", "vkCmdCopyBuffer"));
    EXPECT_THAT(report.at("pipeline_statistics").get<std::string>(), HasSubstr("VK_KHR_pipeline_executable_properties"));
    double last = 1e30, bytes = 0.0;
    for (const json& pass : report.at("passes")) {
        SCOPED_TRACE(pass.at("name"));
        const double median = pass.at("median_ms");
        EXPECT_LE(median, last);  // sorted
        last = median;
        EXPECT_LE(pass.at("min_ms"), median);
        EXPECT_GE(pass.at("p95_ms"), median);
        EXPECT_EQ(pass.at("samples_ms").size(), 5u);
        if (median > 0.0) {
            EXPECT_NEAR(pass.at("gb_per_s").get<double>(), pass.at("bytes").get<double>() / median * 1e-6,
                        1e-3 * pass.at("gb_per_s").get<double>());
        }
        EXPECT_NEAR(pass.at("percent_of_copy").get<double>(), 100.0 * pass.at("gb_per_s").get<double>() / copy, 1e-6);
        EXPECT_EQ(pass.contains("pipeline"),
                  pass.at("threads") > 0 && report.at("pipeline_statistics") == "VK_KHR_pipeline_executable_properties");
        // The nearest device peak is the one of which the pass reaches the greatest share.
        double most = pass.at("percent_of_copy");
        for (const char* what : {"operations", "samples", "fetches"}) {
            const double percent = pass.at(std::string("percent_of_") + what), roof = roofs.at(std::string(what) + "_per_s");
            if (median > 0.0) {
                EXPECT_NEAR(percent, 1e5 * pass.at(what).get<double>() / median / roof, 1e-6 * (1.0 + percent)) << what;
            }
            most = std::max(most, percent);
        }
        EXPECT_EQ(pass.at("percent_of_bound"), most);
        EXPECT_EQ(pass.at("percent_of_" + pass.at("bound_by").get<std::string>()), most);
        if (pass.contains("invocations")) {
            EXPECT_GE(pass.at("invocations"), pass.at("threads"));
        }
        bytes += pass.at("bytes").get<double>();
    }
    const json& gpu = report.at("gpu_ms");
    EXPECT_NEAR(gpu.at("step").at("bytes").get<double>() + gpu.at("frame").at("bytes").get<double>(), bytes, 1.0);
    double onDevice = 0.0;  // of all steps; they do not overlap
    for (const char* scope : {"step", "frame"})
        for (const json& ms : gpu.at(scope).at("samples_ms")) onDevice += ms.get<double>();
    EXPECT_GT(onDevice, 0.0);
    EXPECT_GE(report.at("wall_ms").get<double>() * report.at("steps").get<double>(), onDevice);
    const auto pass = [&](const std::string& name) {
        for (const json& p : report.at("passes"))
            if (p.at("name") == name) return p;
        return json();
    };
    // Two velocity samples per cell centre for each of the two paths, backward and forward.
    EXPECT_GE(pass("backtrace").at("samples"), 2 * 32 * 16 * 16);
    EXPECT_LE(pass("backtrace").at("samples"), 2.1 * 32 * 16 * 16) << "paths that meet the ball take some more samples";
    EXPECT_EQ(pass("update").at("operations"), 0);
    // Velocity and paths in, velocity out: four halves each. Distances: 2 bytes each.
    EXPECT_EQ(pass("advect_velocity").at("threads"), 33 * 17 * 17);
    EXPECT_GE(pass("advect_velocity").at("bytes"), 8 * (2 * 33 * 17 * 17 + 32 * 16 * 16));
    EXPECT_LE(pass("advect_velocity").at("bytes"), 8 * (2 * 33 * 17 * 17 + 32 * 16 * 16) + 2 * 32 * 16 * 16 + 4096);
    EXPECT_GT(report.at("cpu_ms").at("median"), 0.0);
    EXPECT_LE(report.at("cpu_ms").at("record").at("median"), report.at("cpu_ms").at("p95"));
    double memory = 0.0;
    for (const json& row : report.at("memory")) memory += row.at("bytes").get<double>();
    EXPECT_EQ(memory, report.at("memory_bytes").get<double>());
    const std::string csv = readFile(scratch.path() / "b.csv");
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), 1 + 2 + report.at("passes").size());
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 15) << line;
}

TEST_F(BenchCli, HalfASweepWritesHalf) {
    // 16x8x8 pressure cells, 4 bytes each: q is read for both colours and written for one; the right-hand side is read for one. Flags: at
    // most one word per row.
    const double cells = 16 * 8 * 8, flags = 8 * 8 * 4, sums = 8 * 4;
    for (const auto& [settings, name] :
         {std::pair{"--set pressure.solver=red_black_sor", "red_black_sor"}, {"--set pressure.iterations=1", "red_black_sor_vec4"}}) {
        expect(wisp("bench" + kTinyScene + settings + " --steps 1 --warmup 0 --json h.json"), 0);
        const json report = read("h.json");
        ASSERT_EQ(report.at("pressure_grid"), json({16, 8, 8}));
        int found = 0;
        for (const json& pass : report.at("passes")) {
            if (pass.at("name") != name) continue;
            ++found;
            EXPECT_GE(pass.at("bytes"), pass.at("calls").get<double>() * cells * 8);
            EXPECT_LE(pass.at("bytes"), pass.at("calls").get<double>() * (cells * 8 + flags + sums));
        }
        EXPECT_EQ(found, 1) << name;
    }
}

// In the three measured steps the box does not move. It moves from the fourth step on, in which work is counted.
TEST_F(BenchCli, CountsWorkInAStepWithOtherPasses) {
    write("going.toml",
          "[grid]\ncells = [16, 16, 16]\nsize = [1, 1, 1]\n[time]\nstep = 0.01\n[render]\nsize = [16, 16]\n"
          "[follow]\nkeys = [{ t = 0, centre = [0.5, 0.5, 0.5] }, { t = 0.021, centre = [0.5, 0.5, 0.5] }, { t = 0.022, centre = [0.5, "
          "0.5, 0.5] }, { t = 1.022, centre = [25.5, 0.5, 0.5] }]\n");
    const auto passes = [&](const std::string& steps) {
        expect(wisp("bench going.toml --validate --json g.json --warmup 0 --steps " + steps), 0);
        std::map<std::string, double> operations;
        const json report = read("g.json");
        for (const json& pass : report.at("passes")) operations[pass.at("name")] = pass.at("operations");
        return operations;
    };
    const auto still = passes("1"), going = passes("8");
    EXPECT_FALSE(still.contains("scroll_faces"));
    EXPECT_GT(still.at("backtrace"), 0.0);
    EXPECT_GT(going.at("scroll_faces"), 0.0);
}

/// Every event has all its keys. Two events on a track are disjoint, or one contains the other. The GPU begins no frame before its submit.
void checkTrace(const json& trace, std::size_t frames) {
    std::map<std::pair<int, int>, std::vector<json>> tracks;
    std::map<std::size_t, double> submits;
    for (const json& e : trace.at("traceEvents")) {
        for (const char* key : {"ph", "ts", "dur", "pid", "tid", "name"}) ASSERT_TRUE(e.contains(key)) << e;
        if (e.at("ph") == "M") continue;
        ASSERT_EQ(e.at("ph"), "X");
        ASSERT_GE(e.at("ts"), 0.0);
        ASSERT_GE(e.at("dur"), 0.0);
        tracks[{e.at("pid"), e.at("tid")}].push_back(e);
        if (e.at("name") == "submit") submits[e.at("args").at("frame")] = e.at("ts");
    }
    EXPECT_EQ(submits.size(), frames);
    constexpr double kRounding = 1e-4;  // [us] rounding of decimals in sums
    std::size_t nested = 0;
    for (auto& [track, events] : tracks) {
        std::stable_sort(events.begin(), events.end(), [](const json& a, const json& b) {
            return a.at("ts") != b.at("ts") ? a.at("ts") < b.at("ts") : a.at("dur") > b.at("dur");
        });
        std::vector<double> open;  // ends
        for (const json& e : events) {
            const double begin = e.at("ts"), end = begin + e.at("dur").get<double>();
            while (!open.empty() && open.back() <= begin + kRounding) open.pop_back();
            if (!open.empty()) {
                EXPECT_LE(end, open.back() + kRounding) << e;
            }
            nested += open.empty() ? 0 : 1;
            open.push_back(end);
            if (track.first == 2) {
                EXPECT_GE(begin, submits.at(e.at("args").at("frame")) - kRounding) << e;
            }
        }
    }
    EXPECT_GT(nested, 10 * frames);  // passes are nested in scopes
    EXPECT_THAT(trace.at("otherData").at("clock").get<std::string>(), testing::AnyOf(HasSubstr("calibrated"), HasSubstr("estimated")));
}

TEST_F(BenchCli, TracesOpenInPerfetto) {
    expect(wisp("bench" + kTinyScene + "--steps 4 --warmup 1 --render --trace b.json"), 0);
    checkTrace(read("b.json"), 2 * 4);  // a submit for each step and for each picture
    expect(wisp("render" + kTinyScene + "--frames 3 --steps-per-frame 2 --out a --stats s.jsonl --trace r.json"), 0);
    const json render = read("r.json");
    checkTrace(render, 1 + 2 * 3 * 2 + 3);  // a submit for the initial state, each step, its measurement and each picture
    std::map<std::string, int> names;
    for (const json& e : render.at("traceEvents")) ++names[e.at("name")];
    EXPECT_EQ(names["encode"], 3);
    EXPECT_EQ(names["frame"], 3);
    EXPECT_EQ(names["step"], 6);
    expect(wisp("render" + kTinyScene + "--frames 1 --out c --trace /dev/full"), 6);
}

TEST_F(BenchCli, ComparesWithAnOlderReport) {
    const std::string run = "bench" + kTinyScene + "--steps 12 --warmup 1 ";
    expect(wisp(run + "--json old.json"), 0);
    const auto scaled = [this](double factor) {  // multiplies all times by `factor`
        json report = read("old.json");
        const auto scale = [&](json& times, const char* median) {
            times[median] = times[median].get<double>() * factor;
            for (json& v : times["samples_ms"]) v = v.get<double>() * factor;
        };
        for (auto& [name, scope] : report["gpu_ms"].items()) scale(scope, "median");
        for (json& pass : report["passes"]) scale(pass, "median_ms");
        return report.dump();
    };
    write("fast.json", scaled(0.1));
    write("slow.json", scaled(10.0));
    const Outcome slower = wisp(run + "--compare fast.json");
    expect(slower, 1);
    EXPECT_THAT(slower.errors, AllOf(HasSubstr("slower by more than 5 %: step by "), HasSubstr("advect_velocity_correct")));
    expect(wisp(run + "--compare fast.json --threshold 900000"), 2);
    const Outcome faster = wisp(run + "--compare slow.json");
    expect(faster, 0);
    EXPECT_THAT(faster.output, AllOf(HasSubstr("changes [ms]"), HasSubstr("advect_velocity"), HasSubstr(" -")));
    const Outcome other = wisp("bench jet --set grid.cells=[64,32,32] --compare old.json");
    expect(other, 2);
    EXPECT_THAT(other.errors, AllOf(HasSubstr("grid is [32,16,16] in that report and [64,32,32] in this run")));
    const Outcome solver = wisp(run + "--set pressure.solver=jacobi --compare old.json");
    expect(solver, 2);
    EXPECT_THAT(solver.errors, HasSubstr("pressure.solver is \"multigrid\" in that report and \"jacobi\" in this run"));
    const Outcome picture = wisp(run + "--render --compare old.json");
    expect(picture, 2);
    EXPECT_THAT(picture.errors, HasSubstr("render.mode is \"none\" in that report and \"raymarch\" in this run"));
    write("damaged.json", readFile(scratch.path() / "old.json").substr(0, 700));
    for (const char* file : {"damaged.json", "missing.json"}) {
        const Outcome o = wisp(run + "--compare " + file);
        expect(o, 2);
        EXPECT_THAT(o.errors, HasSubstr(file));
    }
    expect(wisp(run + "--threshold 3"), 2);  // nothing to compare with
}

TEST_F(BenchCli, SweepsSkipWhatDoesNotFit) {
    const Outcome o = wisp("bench jet --steps 2 --warmup 1 --sweep cells=16,32,1280 --json s.json");
    expect(o, 0);
    EXPECT_THAT(o.output, AllOf(HasSubstr("16x8x8"), HasSubstr("32x16x16"), HasSubstr("1280           skipped: "), HasSubstr("ms/Mcell")));
    const json sweep = read("s.json");
    ASSERT_EQ(sweep.at("runs").size(), 3u);
    EXPECT_EQ(sweep.at("runs")[1].at("grid"), json({32, 16, 16}));
    EXPECT_GT(sweep.at("runs")[1].at("gpu_ms").at("step").at("median"), 0.0);
    EXPECT_THAT(sweep.at("runs")[2].at("skipped").get<std::string>(), HasSubstr("1280"));
    const Outcome keys = wisp("bench" + kTinyScene + "--steps 1 --warmup 0 --sweep pressure.iterations=1,3");
    expect(keys, 0);
    EXPECT_EQ(wisp("bench jet --sweep cells=15").status, 2);
    EXPECT_EQ(wisp("bench jet --sweep flow.vorticity=0.5,x").status, 2);
    EXPECT_EQ(wisp("bench jet --sweep cells=16 --csv a.csv").status, 2);
    expect(wisp("profile s.json --html p.html"), 0);
    expect(runShell("xmllint --noout p.html", scratch.path()), 0);
    EXPECT_THAT(readFile(scratch.path() / "p.html"), HasSubstr("id=\"growth\""));
}

TEST_F(BenchCli, ProfilePagesAreSelfContained) {
    expect(wisp("bench" + kTinyScene + "--steps 3 --warmup 0 --render --json a.json"), 0);
    json hostile = read("a.json");
    hostile["scene"] = "<script>alert(1)</script>&\"'";
    hostile["passes"][0]["name"] = "</svg><b x=\"1\">";
    write("b.json", hostile.dump());
    expect(wisp("profile a.json b.json --html p.html"), 0);
    const std::string page = readFile(scratch.path() / "p.html");
    for (const char* part : {"id=\"times\"", "id=\"roofline\"", "id=\"memory\"", "id=\"history\"", "advect_velocity", "<svg"})
        EXPECT_THAT(page, HasSubstr(part));
    EXPECT_THAT(page, testing::Not(testing::AnyOf(HasSubstr("alert(1)</"), HasSubstr("<b x"), HasSubstr("src="), HasSubstr("@import"),
                                                  HasSubstr("url("))));
    expect(runShell("xmllint --noout p.html", scratch.path()), 0);
    write("c.json", "{}");
    for (const char* arguments :
         {"profile c.json --html q.html", "profile a.json c.json --html q.html", "profile missing.json --html q.html", "profile a.json"})
        EXPECT_EQ(wisp(arguments).status, 2) << arguments;
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "q.html"));
    EXPECT_EQ(wisp("profile a.json --html /dev/full").status, 6);
}

}  // namespace
}  // namespace wisp::test
