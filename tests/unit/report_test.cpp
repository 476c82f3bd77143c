// SPDX-License-Identifier: MIT
// Benchmark reports: comparison, refusal, swept values, and JSON format.
#include "app/bench/compare.h"
#include "app/bench/sweep.h"
#include "files/scene/scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Json passOf(const std::string& name, double ms) {
    Json samples = Json::array();
    for (int i = -10; i <= 10; ++i) samples.push_back(ms * (1.0 + 0.001 * i));
    return {{"name", name},      {"calls", 1},         {"threads", 64},           {"median_ms", ms},      {"p95_ms", ms}, {"min_ms", ms},
            {"bytes", 1000},     {"gb_per_s", 1.0},    {"percent_of_copy", 1.0},  {"operations", 1},      {"samples", 0}, {"fetches", 0},
            {"buffer_words", 0}, {"bound_by", "copy"}, {"percent_of_bound", 1.0}, {"samples_ms", samples}};
}

Json reportOf(double step, double large, double small) {
    Json json = {
        {"wisp", "1"},
        {"device", "card"},
        {"driver", "7"},
        {"scene", "smoke"},
        {"grid", {4, 4, 4}},
        {"pressure_grid", {2, 2, 2}},
        {"scalar_grid", {4, 4, 4}},
        {"precision", "half"},
        {"memory_bytes", 1},
        {"settings", {{"time.step", 0.1}, {"pressure.solver", "jacobi"}, {"render.size", {64, 36}}}},
        {"roofs",
         {{"copy_gb_per_s", 10.0}, {"copied_by", "a shader"}, {"operations_per_s", 1.0}, {"samples_per_s", 1.0}, {"fetches_per_s", 1.0}}},
        {"memory", Json::array()},
        {"quality", Json::object()}};
    json["gpu_ms"]["step"] = {{"median", step}, {"samples_ms", passOf("", step)["samples_ms"]}};
    json["passes"] = {passOf("large", large), passOf("small", small)};
    return json;
}

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
    ADD_FAILURE() << "expected an error, got none";
    return {};
}

TEST(Compare, FindsSlowerPasses) {
    const Json old = reportOf(1.0, 0.9, 0.01);
    const auto changes = changesBetween(old, reportOf(1.1, 0.8, 0.02));
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[0].name, "step");
    EXPECT_NEAR(changes[0].percent, 10.0, 1e-9);
    EXPECT_TRUE(changes[0].isRegression(5.0));
    EXPECT_FALSE(changes[0].isRegression(10.5));
    EXPECT_LT(changes[1].percent, 0.0);
    EXPECT_FALSE(changes[1].isRegression(5.0));
    EXPECT_NEAR(changes[2].percent, 100.0, 1e-9);
    EXPECT_FALSE(changes[2].matters);  // 1.8 % of the step
    EXPECT_FALSE(changes[2].isRegression(5.0));
    EXPECT_TRUE(changesBetween(old, reportOf(1.0, 0.9, 0.0201))[2].isRegression(5.0));
}

TEST(Compare, NamesPassesOfOnlyOneReport) {
    Json old = reportOf(1.0, 0.9, 0.5), now = reportOf(1.0, 0.9, 0.5);
    old["passes"].push_back(passOf("given up", 0.25));
    now["passes"].push_back(passOf("new", 0.125));
    testing::internal::CaptureStdout();
    compareReports(old, now, 5.0);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_THAT(said, testing::ContainsRegex("given up +only in the old report, 0.2500 ms"));
    EXPECT_THAT(said, testing::ContainsRegex("new +only in the new report, 0.1250 ms"));
}

TEST(Compare, NoiseIsNoRegression) {
    Json old = reportOf(1.0, 0.9, 0.5), now = reportOf(1.2, 0.9, 0.5);
    for (Json* report : {&old, &now}) (*report)["gpu_ms"]["step"]["samples_ms"] = {1.0, 1.2, 0.8, 1.4, 1.1};
    EXPECT_FALSE(changesBetween(old, now)[0].isRegression(5.0));
}

TEST(Compare, OtherDevicesGridsScenesAndSettingsAreRefused) {
    const Json old = reportOf(1, 1, 1);
    requireComparable(old, old, "old.json");
    for (const char* key : {"device", "driver", "scene", "grid", "pressure_grid", "scalar_grid", "precision"}) {
        Json other = old;
        other[key] = "another";
        EXPECT_THAT(refusal([&] { requireComparable(old, other, "old.json"); }),
                    testing::AllOf(HasSubstr("old.json"), HasSubstr(key), HasSubstr("another")));
    }
    for (const char* key : {"time.step", "pressure.solver", "render.size"}) {
        Json other = old, without = old;
        other["settings"][key] = "another";
        EXPECT_THAT(refusal([&] { requireComparable(old, other, "old.json"); }),
                    testing::AllOf(HasSubstr("old.json"), HasSubstr(key), HasSubstr("another")));
        without["settings"].erase(key);
        EXPECT_THAT(refusal([&] { requireComparable(without, old, "old.json"); }), HasSubstr(key));
    }
}

TEST(Compare, ForeignAndDamagedFilesAreRefused) {
    const test::ScratchFolder folder;
    const auto file = folder.path() / "r.json";
    const auto readText = [&](const std::string& text) {
        std::ofstream(file) << text;
        return readReport(file);
    };
    const std::string good = reportOf(1, 1, 1).dump();
    EXPECT_EQ(readText(good).at("scene"), "smoke");
    for (std::size_t length = 0; length < good.size(); length += 37)
        EXPECT_THAT(refusal([&] { readText(good.substr(0, length)); }), HasSubstr("is not valid JSON"));
    for (const char* text : {"{}", "[]", "7", "null", R"({"wisp": 3})", "[1, 2"})
        EXPECT_THAT(refusal([&] { readText(text); }), HasSubstr("r.json: is not "));
    EXPECT_THAT(refusal([&] { readText(R"({"runs": []})"); }), HasSubstr("sweep"));
    const Json whole = Json::parse(good);
    Json cpu = whole;
    cpu["cpu_ms"] = {{"median", {{"median", 1.0}}}};
    EXPECT_THAT(refusal([&] { readText(cpu.dump()); }), HasSubstr("is not a report"));
    for (const auto& [key, value] : whole.items()) {  // each key missing, or with another type
        Json without = whole;
        without.erase(key);
        EXPECT_THAT(refusal([&] { readText(without.dump()); }), HasSubstr("is not a report")) << key;
        Json wrong = whole;
        wrong[key] = value.is_object() ? Json("x") : Json{{"x", "y"}};
        EXPECT_THAT(refusal([&] { readText(wrong.dump()); }), HasSubstr("is not a report")) << key;
    }
    Json wrong = whole;
    wrong["passes"][0]["samples_ms"] = {"a"};
    refusal([&] { readText(wrong.dump()); });
    EXPECT_THAT(refusal([] { readReport("/nonexistent/r.json"); }), HasSubstr("cannot be read"));
}

TEST(SweepOption, SplitsOutsideBrackets) {
    EXPECT_THAT(parseSweep("cells=64,128").values, ElementsAre("64", "128"));
    const Sweep colours = parseSweep("emitter[0].colour=[1,0,0],[0,1,0]");
    EXPECT_EQ(colours.key, "emitter[0].colour");
    EXPECT_THAT(colours.values, ElementsAre("[1,0,0]", "[0,1,0]"));
    for (const char* text : {"", "cells", "=3", "cells=", "cells=64,", "cells=,64"})
        EXPECT_THAT(refusal([&] { parseSweep(text); }), HasSubstr("--sweep"));
}

TEST(SweepOption, CellsKeepTheProportions) {
    const Cells cells{48, 32, 32};
    const Sweep sweep{"cells", {}};
    const LoadOptions options{.quality = "ultra"};
    const LoadOptions swept = sweptOptions(options, sweep, "96", cells);
    EXPECT_EQ(swept.set.back().key, "grid.cells");
    EXPECT_EQ(swept.set.back().value, "[96, 64, 64]");
    EXPECT_EQ(swept.quality, "standard");
    for (const char* value : {"100", "0", "-3", "x", "96x", "99999999999"})
        EXPECT_THAT(refusal([&] { sweptOptions(options, sweep, value, cells); }), HasSubstr("multiple of 3"));
    EXPECT_EQ(sweptOptions(options, {"pressure.iterations", {}}, "4", cells).set.back().value, "4");
}

TEST(Report, PrettyJsonIsTheSameJson) {
    const Json json = {{"a", {1, 2, 3}}, {"b", {{"c", "x\"y"}, {"d", Json::array()}}}, {"e", {{{"f", 1.5}}, {{"f", nullptr}}}}};
    const std::string text = prettyJson(json);
    EXPECT_EQ(Json::parse(text), json);
    EXPECT_THAT(text, HasSubstr("\"a\": [1,2,3],\n"));
}

TEST(Report, SpreadsMatchManualValues) {
    EXPECT_EQ(timeSpread({}).median, 0.0);
    const TimeSpread s = timeSpread({5, 1, 4, 2});
    EXPECT_EQ(s.median, 3.0);
    EXPECT_EQ(s.p95, 5.0);
    EXPECT_EQ(s.min, 1.0);
}

TEST(ParseJson, RefusesTooDeepNesting) {
    EXPECT_NO_THROW(parseJson(std::string(60, '[') + std::string(60, ']')));
    EXPECT_THROW(parseJson(std::string(1'000'000, '[') + std::string(1'000'000, ']')), std::runtime_error);
}

}  // namespace
}  // namespace wisp::app
