// SPDX-License-Identifier: MIT
// flow.side_fade, end to end.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// Smoke fills the whole box at the start.
constexpr const char* kFullBox = R"(
[grid]
cells = [32, 16, 16]
size = [2, 1, 1]
[[initial]]
shape = "box"
min = [0, 0, 0]
max = [2, 1, 1]
density = 1.0
)";

class SideFadeCli : public testing::Test {
protected:
    void SetUp() override { std::ofstream(scratch.path() / "s.toml") << kFullBox; }
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    ScratchFolder scratch;
};

TEST_F(SideFadeCli, IsInTheReportOnlyWhereItIsOn) {
    for (const bool on : {false, true}) {
        expect(wisp(std::string("bench s.toml --size 64x36 --steps 3 --warmup 1 --json b.json --validate --set flow.side_fade=") +
                    (on ? "0.2" : "0")),
               0);
        const json report = json::parse(readFile(scratch.path() / "b.json"));
        EXPECT_EQ(std::ranges::any_of(report.at("passes"), [](const json& pass) { return pass.at("name") == "side_fade"; }), on);
        EXPECT_EQ(report.at("quality").contains("faded_mass"), on);
        if (on) {
            EXPECT_GT(report.at("quality").at("faded_mass").get<double>(), 0.0);
        }
    }
}

TEST_F(SideFadeCli, IsInTheStatisticsOfEachStep) {
    expect(wisp("render s.toml --size 16x16 --frames 2 --out frames --stats s.jsonl --validate --set flow.side_fade=0.2 --set "
                "grid.precision=float --set grid.scalar_ratio=2 --set initial[0].colour=[1,0.5,0.2]"),
           0);
    std::istringstream lines(readFile(scratch.path() / "s.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_GT(json::parse(line).at("faded_mass").get<double>(), 0.0);
    EXPECT_GT(count, 0);
}

TEST_F(SideFadeCli, IsRejectedByItsKey) {
    for (const auto& [set, why] :
         {std::pair("--set flow.side_fade=0.6", "from 0 to 0.5"),
          {"--set flow.side_fade=-0.1", "from 0 to 0.5"},
          {"--set flow.side_fade=nan", "from 0 to 0.5"},
          {"--set flow.side_fade=0.1 --set \"grid.sides={x0='wall',x1='wall',y0='wall',y1='wall',z0='wall',z1='wall'}\"", "must be open"},
          {"--set flow.side_fade=0.1 --set prescribed.field=rotation", "must be 0 with a prescribed velocity"}}) {
        const Outcome o = wisp(std::string("check s.toml ") + set);
        expect(o, 2);
        EXPECT_THAT(o.errors, AllOf(HasSubstr("flow.side_fade"), HasSubstr(why)));
    }
}

}  // namespace
}  // namespace wisp::test
