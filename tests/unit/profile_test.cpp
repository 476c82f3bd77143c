// SPDX-License-Identifier: MIT
// Data of the profiler panel, without the panel.
#include "app/live/profile.h"
#include "app/live/input_age.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <sstream>

namespace wisp::app {
namespace {

PassTime pass(const std::string& name, double ms, std::uint32_t calls = 1) { return {.name = name, .calls = calls, .ms = ms}; }

std::vector<std::vector<std::string>> cellsOf(const std::string& csv) {
    std::vector<std::vector<std::string>> lines;
    std::istringstream in(csv);
    for (std::string line; std::getline(in, line);) {
        lines.emplace_back();
        line += ',';
        for (std::size_t at = 0, comma = 0; (comma = line.find(',', at)) != std::string::npos; at = comma + 1)
            lines.back().push_back(line.substr(at, comma - at));
    }
    return lines;
}

TEST(Profile, RowsCoverTheHistory) {
    Profile profile;
    EXPECT_TRUE(profile.rows().empty());
    EXPECT_TRUE(profile.layers().empty());
    for (int i = 0; i < 1000; ++i) profile.add({pass("old", 50.0)}, {.frame = 1.0});
    for (std::size_t i = 0; i < Profile::kHistory; ++i) {
        // Two submits per image: a pass that occurs in both is one row.
        std::vector<PassTime> passes{
            pass("advect", 2.0, 3), {.name = "step", .calls = 1, .ms = 99.0, .scope = true}, pass("read", 0.25), pass("read", 0.25, 2)};
        if (i % 2 == 0) passes.push_back(pass("measure", 0.5));
        profile.add(passes, {.frame = static_cast<double>(i), .record = 0.5, .panels = 0.25});
    }
    EXPECT_EQ(profile.pictures(), Profile::kHistory);
    const std::vector<Profile::Row>& rows = profile.rows();
    ASSERT_EQ(rows.size(), 3u) << "no passes that left the history, and no scopes";
    EXPECT_EQ(rows[0].name, "advect");
    EXPECT_EQ(rows[0].calls, 3u);
    EXPECT_DOUBLE_EQ(rows[0].mean, 2.0);
    EXPECT_DOUBLE_EQ(rows[0].share, 2.0 / 2.75);
    EXPECT_EQ(rows[1].name, "read");
    EXPECT_EQ(rows[1].calls, 3u);
    EXPECT_DOUBLE_EQ(rows[1].last, 0.5);
    EXPECT_EQ(rows[2].name, "measure");
    EXPECT_DOUBLE_EQ(rows[2].mean, 0.25) << "the mean counts images without the pass, too";
    EXPECT_DOUBLE_EQ(rows[2].p95, 0.5);
    EXPECT_DOUBLE_EQ(rows[2].last, 0.0) << "the newest image does not have the pass";
    EXPECT_EQ(rows[2].calls, 1u) << "calls in the newest image that has the pass";
}

TEST(Profile, PercentilesAreValuesOfTheSeries) {
    std::vector<float> values;
    for (int i = 0; i <= 100; ++i) values.push_back(static_cast<float>((37 * i) % 101));  // 0 to 100 in mixed order
    const Spread s = spreadOf(values);
    EXPECT_EQ(s.median, 50.0);
    EXPECT_EQ(s.p95, 95.0);
    EXPECT_EQ(s.p99, 99.0);
    EXPECT_EQ(s.most, 100.0);
    EXPECT_EQ(s.mean, 50.0);
    EXPECT_EQ(s.last, static_cast<double>(3700 % 101));
    EXPECT_EQ(spreadOf({}).p99, 0.0);
    EXPECT_EQ(spreadOf({3.0f}).p95, 3.0);
}

TEST(Profile, LayersAddUpToTheTotal) {
    Profile profile;
    std::uint32_t random = 1;
    for (int i = 0; i < 50; ++i) {
        std::vector<PassTime> passes;
        for (int n = 0; n < 20; ++n) {
            random = random * 1664525u + 1013904223u;
            if (random >> 30) passes.push_back(pass(fmt::format("p{}", n), (n + 1) * 0.1 * (random >> 8) / (1 << 24)));
        }
        profile.add(passes, {});
    }
    const std::vector<float> whole = profile.gpu();
    const auto& layers = profile.layers();
    ASSERT_EQ(layers.size(), whole.size());
    float others = 0.0f;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NEAR(std::accumulate(layers[i].begin(), layers[i].end(), 0.0f), whole[i], 40 * 6e-8f * whole[i])
            << "20 additions in both orders";
        others += layers[i].back();
        const auto passes = profile.passesOf(i);
        double sum = 0.0;
        for (const auto& p : passes) sum += p.last;
        EXPECT_NEAR(sum, whole[i], 20 * 6e-8 * whole[i]);
    }
    EXPECT_GT(others, 0.0f);
    std::vector<int> used;
    for (const Profile::Row& row : profile.rows())
        if (row.layer < Profile::kLayers) used.push_back(row.layer);
    EXPECT_THAT(used, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "each layer by one pass";
}

TEST(Profile, APassKeepsItsLayerUntilOthersAreMuchSlower) {
    Profile profile;
    const auto layerOf = [&](const std::string& name) {
        for (const Profile::Row& row : profile.rows())
            if (row.name == name) return row.layer;
        return -1;
    };
    const auto fill = [&](double ninth) {
        for (std::size_t i = 0; i < Profile::kHistory; ++i) {
            std::vector<PassTime> passes{pass("ninth", ninth)};
            for (int n = 0; n < Profile::kLayers; ++n) passes.push_back(pass(fmt::format("p{}", n), 1.0 + n));
            profile.add(passes, {});
            profile.rows();
        }
    };
    fill(0.5);
    const int first = layerOf("p0"), last = layerOf("p7");
    EXPECT_LT(first, Profile::kLayers);
    EXPECT_EQ(layerOf("ninth"), Profile::kLayers);
    fill(1.1);
    EXPECT_EQ(layerOf("p0"), first) << "10 % more time must not change the layers";
    fill(1.5);
    EXPECT_EQ(layerOf("ninth"), first);
    EXPECT_EQ(layerOf("p0"), Profile::kLayers);
    EXPECT_EQ(layerOf("p7"), last);
}

TEST(Profile, CsvIsReadBack) {
    Profile profile;
    for (int i = 1; i <= 4; ++i) {
        profile.add({pass("advect", i, 2), pass("project", 0.5)}, {.frame = 10.0 * i, .record = 0.25, .panels = 0.125});
        profile.addInputAge(i);
        Quality q;
        q.residual = 1e-3 * i;
        q.mass = 0.5;
        q.maxSpeed = 3.0;
        profile.addQuality(q);
    }
    const auto lines = cellsOf(profile.csv());
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines[0], testing::ElementsAre("name", "calls", "mean_ms", "p95_ms", "last_ms", "share", "value", "unit"));
    std::map<std::string, std::vector<std::string>> byName;
    for (const auto& line : lines) {
        ASSERT_EQ(line.size(), 8u);
        byName[line[0]] = line;
    }
    EXPECT_EQ(byName.size(), 1u + 2u + 5u + Profile::kQuality.size());
    const auto number = [&](const char* name, std::size_t column) { return std::stod(byName.at(name).at(column)); };
    EXPECT_EQ(number("advect", 1), 2.0);
    EXPECT_EQ(number("advect", 2), 2.5);
    EXPECT_EQ(number("advect", 3), 4.0);
    EXPECT_EQ(number("advect", 4), 4.0);
    EXPECT_NEAR(number("advect", 5) + number("project", 5), 1.0, 1e-4) << "the file has four digits";
    EXPECT_EQ(number("frame", 2), 25.0);
    EXPECT_EQ(number("GPU of a picture", 4), 4.5);
    EXPECT_EQ(number("CPU recording", 2), 0.25);
    EXPECT_EQ(number("CPU panels", 2), 0.125);
    EXPECT_EQ(number("input to picture", 2), 2.5);
    EXPECT_EQ(number("residual", 6), 4e-3);
    EXPECT_EQ(byName.at("residual")[2], "");
    EXPECT_EQ(byName.at("fastest")[7], "m/s");
}

TEST(InputAge, CountsFromThePreviousPoll) {
    InputAge age;
    age.polled(1.0, true);  // the time of the input is unknown
    age.submitted(1);
    EXPECT_TRUE(age.presented(1, 1.1).empty());
    age.polled(2.0, false);
    age.polled(3.0, true);
    age.polled(3.5, true);  // no image was shown in between
    age.submitted(7);
    EXPECT_TRUE(age.presented(6, 4.0).empty()) << "the GPU has not finished";
    age.polled(4.0, true);
    age.submitted(8);
    const std::vector<double> ages = age.presented(8, 4.25);
    ASSERT_EQ(ages.size(), 2u);
    EXPECT_DOUBLE_EQ(ages[0], 2.25);
    EXPECT_DOUBLE_EQ(ages[1], 0.75);
    EXPECT_TRUE(age.presented(99, 5.0).empty());
    age.polled(5.0, false);
    age.submitted(9);
    EXPECT_TRUE(age.presented(9, 6.0).empty()) << "an image without input";
}

TEST(Profile, AdvectionTimeIsCountedPerStep) {
    const std::vector<PassTime> times{pass("prescribe", 8.0, 2),
                                      pass("backtrace", 1.0, 2),
                                      pass("smoke_bricks", 0.5, 2),
                                      pass("smoke_reach", 0.5, 2),
                                      pass("advect_scalars", 3.0, 4),
                                      pass("advect_scalars_correct", 2.0, 4),
                                      pass("departure_points", 16.0, 2),
                                      {.name = "step", .calls = 2, .ms = 40.0, .scope = true},
                                      pass("flat", 4.0)};
    EXPECT_EQ(advectionTime(times), 3.5);
    EXPECT_EQ(advectionTime({pass("upwind", 6.0, 12), {.name = "step", .calls = 3, .ms = 7.0, .scope = true}}), 2.0);
    EXPECT_EQ(advectionTime({pass("backtrace", 1.0), {.name = "render", .calls = 1, .ms = 2.0, .scope = true}}), std::nullopt)
        << "no step in these times";
}

}  // namespace
}  // namespace wisp::app
