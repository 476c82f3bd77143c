// SPDX-License-Identifier: MIT
// --progress: what schedulers and people read while a run goes on.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

class CliProgress : public testing::Test {
protected:
    const std::string film = WISP_BINARY " render jet --quality standard --set grid.cells=[32,16,16] --size 64x36" + kPlain;
    Outcome run(const std::string& options) { return runShell(film + options, scratch.path()); }
    /// Interrupts a run of more than an hour when the file `said` has `text`.
    Outcome until(const std::string& text, const std::string& options) {
        return runShell(film + "--frames 1000000 --out long " + options + " & W=$!; until grep -q '" + text +
                            "' said; do kill -0 $W || break; sleep 0.1; done; cp said seen; kill -INT $W; wait $W",
                        scratch.path());
    }
    std::vector<std::string> said() {
        std::vector<std::string> lines;
        std::istringstream in(readFile(scratch.path() / "said"));
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }
    ScratchFolder scratch;
};

TEST_F(CliProgress, OpenJobDescription) {
    EXPECT_EQ(until("frame [1-9]", "--progress openjd >said").status, 130) << "messages must arrive while the run goes on";
    EXPECT_THAT(readFile(scratch.path() / "seen"), testing::EndsWith("\n")) << "a message must not wait until a buffer is full";
    const std::vector<std::string> lines = said();
    ASSERT_GE(lines.size(), 2u);
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_THAT(lines[i], i % 2 == 0 ? MatchesRegex("openjd_progress: [0-9]+\\.[0-9]")
                                         : MatchesRegex("openjd_status: (compiling shaders|frame [0-9]+/1000000)"));
    const Outcome o = run("--frames 3 --out a --progress openjd --log-level quiet");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_THAT(o.output, testing::EndsWith("openjd_progress: 100.0\nopenjd_status: frame 3/3\n"));
    EXPECT_THAT(o.errors, IsEmpty());
}

TEST_F(CliProgress, Json) {
    EXPECT_EQ(until("\"done\":[1-9]", "--progress json >said").status, 130);
    double share = 0.0;
    for (const std::string& line : said()) {
        const auto state = nlohmann::json::parse(line);
        EXPECT_EQ(state["unit"], "frame");
        EXPECT_EQ(state["total"], 1000000);
        EXPECT_GE(state["share"].get<double>(), share);
        share = state["share"];
        const bool compiling = state["phase"] == "compiling shaders";
        EXPECT_TRUE(compiling || state["phase"].is_null());
        // 1000000 frames of some milliseconds each take between minutes and years.
        if (state["done"] > 1000) {
            EXPECT_GT(state["seconds_left"].get<double>(), 60.0);
        }
    }
    const Outcome o = run("--frames 3 --out a --progress json");
    EXPECT_EQ(o.status, 0) << o.errors;
    ASSERT_FALSE(o.output.empty());
    const auto last = nlohmann::json::parse(o.output.substr(o.output.rfind('\n', o.output.size() - 2) + 1));
    EXPECT_EQ(last,
              (nlohmann::json{{"share", 1.0}, {"done", 3}, {"total", 3}, {"unit", "frame"}, {"seconds_left", 0.0}, {"phase", nullptr}}));
    EXPECT_THAT(o.errors, AllOf(HasSubstr("3 frames"), Not(HasSubstr("frame 3/3"))));
    const Outcome hash = run("--frames 3 --out b --progress json --hash");
    EXPECT_EQ(hash.status, 2);
    EXPECT_THAT(hash.errors, HasSubstr("--hash"));
}

// Frames that are far from each other are drawn from several checkpoints. The share is that of all of them.
// So are the members of a wedge.
TEST_F(CliProgress, SeveralRunsOfACommandShareIt) {
    const auto sharesOf = [](const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.errors;
        std::istringstream lines(o.output);
        std::vector<double> shares;
        for (std::string line; std::getline(lines, line);) shares.push_back(nlohmann::json::parse(line)["share"]);
        EXPECT_TRUE(std::ranges::is_sorted(shares)) << o.output;
        return shares;
    };
    const std::string simulation = WISP_BINARY " sim jet --set grid.cells=[32,16,16] --frames 0-9 --every 2 --cache cache --progress json";
    EXPECT_EQ(runShell(simulation, scratch.path()).status, 0);
    const Outcome o = runShell(WISP_BINARY " render --cache cache --size 64x36 --frames 1,4,9 --out a --progress json" + kPlain,
                               scratch.path());
    EXPECT_THAT(sharesOf(o), testing::IsSupersetOf({0.3333, 0.6667, 1.0})) << "each run tells its end";
    const Outcome wedge = runShell(
        WISP_BINARY " wedge jet --set grid.cells=[32,16,16] --size 64x36 --frames 2 --set-each seed=1,2 --progress json" + kPlain,
        scratch.path());
    EXPECT_THAT(sharesOf(wedge), testing::IsSupersetOf({0.5, 1.0}));
}

TEST_F(CliProgress, PlainIsLinesOnATerminalToo) {
    const Outcome o = runShell("script -qfec 'echo $$ >pid; exec " + film +
                                   "--frames 1000000 --out long --progress plain' said >/dev/null & S=$!; until grep -q ' left' said; do "
                                   "kill -0 $S || break; sleep 0.1; done; kill -INT $(cat pid); wait $S",
                               scratch.path());
    EXPECT_EQ(o.status, 130) << o.errors;
    const std::string text = readFile(scratch.path() / "said");
    EXPECT_THAT(text, testing::ContainsRegex("frame [0-9]+/1000000    0 %  [0-9:]+ left"));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("[...")), Not(HasSubstr("\x1b[K")))) << "no bar, and nothing is removed";
}

TEST_F(CliProgress, NoneLeavesTheMessages) {
    // Longer than the interval of the lines, after the first frame.
    const Outcome o = runShell(film +
                                   "--frames 1000000 --out long --progress none 2>said & W=$!; until [ -e long/0001.png ]; do kill -0 $W "
                                   "|| break; sleep 0.1; done; sleep 2; kill -INT $W; wait $W",
                               scratch.path());
    EXPECT_EQ(o.status, 130);
    EXPECT_THAT(readFile(scratch.path() / "said"), AllOf(HasSubstr("wisp: interrupted; "), Not(testing::ContainsRegex("frame [0-9]+/"))));
    const Outcome done = run("--frames 3 --out a --progress none");
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_THAT(done.errors, HasSubstr("a: 3 frames in"));
    EXPECT_THAT(done.output, IsEmpty());
    EXPECT_EQ(run("--frames 3 --out a --progress bar").status, 2);
}

TEST_F(CliProgress, AReaderThatLeavesIsAnErrorOfTheOutput) {
    const Outcome o = runShell("{ " + film + "--frames 3 --out a --progress json; echo $? >status; } | true", scratch.path());
    EXPECT_EQ(readFile(scratch.path() / "status"), "6\n") << o.errors;
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "a/0002.png")) << "all frames are there";
}

}  // namespace
}  // namespace wisp::test
