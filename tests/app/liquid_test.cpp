// SPDX-License-Identifier: MIT
// Liquids in the real binary: no visible liquid, NaN particles, out of memory.
#include "files/checkpoint/checkpoint_file.h"
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A closed box of 16^3 cells and 1 m^3.
const std::string kBox = R"(
[grid]
cells = [16, 16, 16]
pressure_ratio = 1
size = [1.0, 1.0, 1.0]
sides = { x0 = "wall", x1 = "wall", y0 = "wall", y1 = "wall", z0 = "wall", z1 = "wall" }
[render]
size = [64, 36]
)";

const std::string kColumn = kBox + R"(
[[initial]]
shape = "box"
centre = [0.25, 0.3, 0.5]
half = [0.25, 0.3, 0.5]
liquid = true
)";

/// A source and liquid inside a ball, which then moves away.
const std::string kInBall = kBox + R"(
[[initial]]
shape = "box"
centre = [0.5, 0.5, 0.5]
half = [0.1, 0.1, 0.1]
liquid = true
[[emitter]]
centre = [0.5, 0.5, 0.5]
radius = 0.12
liquid = true
[[obstacle]]
radius = 0.3
keys = [{ t = 0.05, centre = [0.5, 0.5, 0.5] }, { t = 0.15, centre = [0.5, 0.5, 2.0] }]
)";

class LiquidProgram : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    void write(const std::string& name, const std::string& text) { std::ofstream(scratch.path() / name) << text; }
    /// Lines of --stats; each must be complete JSON.
    [[nodiscard]] std::vector<nlohmann::json> stats(const std::string& file) const {
        std::vector<nlohmann::json> lines;
        std::istringstream in(readFile(scratch.path() / file));
        for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
        return lines;
    }
    /// Copies a checkpoint and replaces one number of a field.
    void spoil(const std::string& from, const std::string& to, const std::string& field, std::size_t number, float value) {
        CheckpointFile file(scratch.path() / from);
        std::vector<std::vector<std::byte>> fields(file.head().fields.size());
        file.read([&](std::size_t n, std::uint64_t, std::span<const std::byte> bytes) {
            fields[n].insert(fields[n].end(), bytes.begin(), bytes.end());
        });
        const auto spoilt = std::ranges::find(file.head().fields, field, &StoredField::name);
        ASSERT_NE(spoilt, file.head().fields.end());
        std::memcpy(&fields[static_cast<std::size_t>(spoilt - file.head().fields.begin())][number * sizeof value], &value, sizeof value);
        writeCheckpoint(scratch.path() / to, file.head(), [&](std::size_t n, std::uint64_t offset, std::span<std::byte> into) {
            std::memcpy(into.data(), &fields[n][offset], into.size());
        });
    }
    ScratchFolder scratch;
};

TEST_F(LiquidProgram, ASceneWithoutVisibleLiquidGivesAPicture) {
    write("in_ball.toml", kInBall);
    for (const std::string look : {"surface", "points"}) {
        expect(wisp("render in_ball.toml --validate --frames 2 --steps-per-frame 2 --out " + look +
                    " --stats s.jsonl --set 'liquid.look=\"" + look + "\"'"),
               0);
        for (const char* picture : {"0000.png", "0001.png"}) EXPECT_TRUE(std::filesystem::exists(scratch.path() / look / picture));
        for (const auto& line : stats("s.jsonl")) {
            EXPECT_EQ(line.at("particles"), 0);
            EXPECT_EQ(line.at("volume"), 0);
            EXPECT_EQ(line.at("finite"), true);
            EXPECT_THAT(line.dump(), Not(HasSubstr("null"))) << "JSON writes NaN as null";
        }
    }
    expect(wisp("render in_ball.toml --frames 1 --steps-per-frame 24 --out later --stats s.jsonl"), 0);
    EXPECT_GT(stats("s.jsonl").back().at("particles"), 200) << "after 0.2 s the ball has moved away";
}

// A particle that becomes NaN in a step is deleted at once. One that is NaN in the checkpoint reaches the grid, and may make others NaN. In
// both cases the run stops.
TEST_F(LiquidProgram, ANaNParticleStopsTheRun) {
    write("column.toml", kColumn);
    expect(wisp("render column.toml --frames 3 --steps-per-frame 2 --out a --checkpoint good"), 0);
    ASSERT_THAT(scratch.files(), ElementsAre("a/0000.png", "a/0001.png", "a/0002.png", "column.toml", "good"));
    std::vector<std::string> before;
    for (const std::string& name : scratch.files()) before.push_back(readFile(scratch.path() / name));
    const struct {
        const char* field;
        float value;
    } faults[] = {{"liquid places", std::numeric_limits<float>::quiet_NaN()},
                  {"liquid velocities", std::numeric_limits<float>::infinity()}};
    for (const auto& fault : faults) {
        spoil("good", "bad", fault.field, 4 * 100 + 1, fault.value);
        const Outcome o = wisp("render column.toml --frames 8 --steps-per-frame 2 --out a --stats s.jsonl --checkpoint after --resume bad");
        expect(o, 7);
        EXPECT_THAT(o.errors, HasSubstr("step 7: particles is no longer finite; 0 good frames were written"));
        const auto lines = stats("s.jsonl");
        ASSERT_FALSE(lines.empty());
        EXPECT_EQ(lines[0].at("finite"), false);
        EXPECT_GE(lines[0].at("particles_lost"), 1);
        std::filesystem::remove(scratch.path() / "s.jsonl");
        std::filesystem::remove(scratch.path() / "bad");
        ASSERT_THAT(scratch.files(), ElementsAre("a/0000.png", "a/0001.png", "a/0002.png", "column.toml", "good"))
            << "no picture and no checkpoint may be written";
        std::vector<std::string> after;
        for (const std::string& name : scratch.files()) after.push_back(readFile(scratch.path() / name));
        EXPECT_EQ(before, after);
    }
    expect(wisp("render column.toml --frames 4 --steps-per-frame 2 --out a --resume good"), 0);
}

TEST_F(LiquidProgram, ItsBuffersAreInTheMemoryPlan) {
    const Outcome o = wisp("render dam_break --set 'liquid.transfer=\"apic\"' --set liquid.capacity=1048576 --dry-run");
    expect(o, 0);
    for (const char* row : {"liquid places +16777216 bytes", "liquid places, other +16777216 bytes", "liquid velocities +16777216 bytes",
                            "liquid gradients +50331648 bytes", "liquid gradients, other +50331648 bytes", "liquid ranks +4194304 bytes",
                            "liquid in cells ", "liquid known faces ", "liquid surface "})
        EXPECT_THAT(o.output, testing::ContainsRegex(row));
}

TEST_F(LiquidProgram, TooManyParticlesSayHowManyWouldFit) {
    const std::string most = "dam_break --set liquid.capacity=16776192 --set 'liquid.transfer=\"apic\"' ";
    if (wisp("render " + most + "--dry-run").status == 0)
        GTEST_SKIP() << "the memory of this device is enough for the maximum number of particles";
    for (const std::string command : {"render ", "bench ", "render --dry-run "}) {
        const Outcome o = wisp(command + most);
        expect(o, 4);
        EXPECT_THAT(o.errors, AllOf(HasSubstr("liquid.capacity: is 16776192, which on "), HasSubstr("would fit: --set liquid.capacity="),
                                    Not(HasSubstr("grid"))))
            << command;
        const std::size_t at = o.errors.find("--set liquid.capacity=");
        ASSERT_NE(at, std::string::npos);
        const std::string fitting = o.errors.substr(at, o.errors.find('\n', at) - at);
        if (command[0] == 'r')
            expect(wisp("render dam_break --set 'liquid.transfer=\"apic\"' --dry-run " + fitting),
                   0);  // a number that fits a bench may leave no memory for a picture
    }
    // If the grid alone is too large, the message is about the grid.
    const Outcome grid = wisp("render dam_break --set grid.cells=[400,200,200] --set liquid.capacity=1000 --dry-run");
    expect(grid, 4);
    EXPECT_THAT(grid.errors, AllOf(HasSubstr("a grid of [400, 200, 200]"), HasSubstr("would fit: --set grid.cells="),
                                   Not(HasSubstr("liquid.capacity"))));
    EXPECT_TRUE(scratch.files().empty());
}

// The column is 16 parts of cells wide, 19 high (0.6 * 32 = 19.2) and 32 deep.
TEST_F(LiquidProgram, ReachingTheCapacityIsReported) {
    write("a.toml", kColumn);
    const Outcome o = wisp("render a.toml --frames 2 --steps-per-frame 1 --out out --stats s.jsonl --set liquid.capacity=5000");
    expect(o, 0);
    EXPECT_THAT(o.errors, HasSubstr("liquid.capacity: the limit of 5000 particles is reached; no more particles are spawned"));
    for (const nlohmann::json& line : stats("s.jsonl")) {
        EXPECT_EQ(line.at("particles"), 5000.0);
        EXPECT_EQ(line.at("particles_unborn"), 16.0 * 19 * 32 - 5000.0);
    }
    EXPECT_THAT(wisp("render a.toml --frames 1 --out later").errors, Not(HasSubstr("liquid.capacity")));
}

}  // namespace
}  // namespace wisp::test
