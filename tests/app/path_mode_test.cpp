// SPDX-License-Identifier: MIT
// wisp render and bench in path mode.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace wisp::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class PathMode : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    /// Requires that the newest run ended with `status`; otherwise shows its messages.
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    ScratchFolder scratch;
};

const std::string kTraced = " jet --set grid.cells=[32,16,16] --set render.mode=path --size 64x36 --validate --steps-per-frame 2";

TEST_F(PathMode, TakesItsSamples) {
    for (const char* out : {"a", "b"}) {
        const Outcome o = wisp("render" + kTraced + " --frames 2 --samples 5 --stats s.jsonl --out " + out);
        expect(o, 0);
        EXPECT_THAT(o.errors, HasSubstr("2 frames in "));
        EXPECT_THAT(o.errors, HasSubstr("; 5 samples per pixel, noise of smoke and bodies at most "));
    }
    for (const char* name : {"0000.png", "0001.png"})
        EXPECT_EQ(readFile(scratch.path() / "a" / name), readFile(scratch.path() / "b" / name)) << name;
    EXPECT_NE(readFile(scratch.path() / "a/0000.png"), readFile(scratch.path() / "a/0001.png"));
    // Statistics are per step, whether or not paths are traced in between.
    std::istringstream lines(readFile(scratch.path() / "s.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_THAT(line, testing::Not(HasSubstr("\"path\"")));
    EXPECT_EQ(count, 4);
}

TEST_F(PathMode, StopsAtItsError) {
    const Outcome o = wisp("render" + kTraced + " --frames 1 --samples 4000 --error 0.2 --out a");
    expect(o, 0);
    const std::size_t at = o.errors.find("; ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_GT(std::stoi(o.errors.substr(at + 2)), 100)
        << "with 32 samples the mean of the picture has an error of 3 %, and single pixels have visible noise";
    EXPECT_LT(std::stoi(o.errors.substr(at + 2)), 1000);
    const std::size_t error = o.errors.find("at most ");
    ASSERT_NE(error, std::string::npos);
    EXPECT_LE(std::stod(o.errors.substr(error + 8)), 20.0);
}

TEST_F(PathMode, IsInterruptedWithinAPicture) {
    const Outcome o = runShell("timeout --preserve-status -s INT " + std::to_string(2 * kPatience) + " " WISP_BINARY " render" + kTraced +
                                   " --frames 2 --samples 1000000 --out a",
                               scratch.path());
    expect(o, 130);
    EXPECT_THAT(o.errors, HasSubstr("interrupted; 0 frames"));
    EXPECT_THAT(scratch.files(), IsEmpty());
}

TEST_F(PathMode, IsBenched) {
    expect(wisp("bench" + kTraced.substr(0, kTraced.find(" --steps-per")) + " --steps 2 --warmup 1 --render --json b.json"), 0);
    const auto json = nlohmann::json::parse(readFile(scratch.path() / "b.json"));
    EXPECT_GE(json.at("path").at("segments"), 64 * 36);
    EXPECT_GT(json.at("path").at("segments_per_s"), 0.0);
    EXPECT_EQ(json.at("path").at("cut_samples"), 0.0);
}

}  // namespace
}  // namespace wisp::test
