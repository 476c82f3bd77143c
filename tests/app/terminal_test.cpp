// SPDX-License-Identifier: MIT
// Progress messages in a terminal and in a file, and the folders of caches.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>

namespace wisp::test {
namespace {

using testing::HasSubstr;

class CliTerminal : public testing::Test {
protected:
    // A run of more than an hour.
    const std::string film = WISP_BINARY " render jet --quality standard --set grid.cells=[32,16,16] --size 64x36 --frames 1000000 --out a";
    ScratchFolder scratch;
};

TEST_F(CliTerminal, ProgressIsALineThatIsWrittenAnew) {
    const Outcome o = runShell(
        "script -qfec 'echo $$ >pid; exec " + film +
            "' said >/dev/null & S=$!; until grep -q ' left' said; do kill -0 $S || break; sleep 0.1; done; kill -INT $(cat pid); wait $S",
        scratch.path());
    EXPECT_EQ(o.status, 130) << o.errors;
    const std::string said = readFile(scratch.path() / "said");
    EXPECT_TRUE(
        std::regex_search(said, std::regex("\r\\[#*\\.*\\] frame [0-9]+/1000000    0 %  [0-9]+:[0-5][0-9]:[0-5][0-9] left\x1b\\[K")))
        << said;
    EXPECT_TRUE(std::regex_search(said, std::regex("\r\x1b\\[Kwisp: interrupted; [0-9]+ frames are in a")))
        << "the progress line must be removed at the end:\n"
        << said;
}

TEST_F(CliTerminal, ProgressInAFileIsLines) {
    const Outcome o = runShell(
        film + " 2>said & W=$!; until grep -q ' left' said; do kill -0 $W || break; sleep 0.1; done; kill -INT $W; wait $W",
        scratch.path());
    EXPECT_EQ(o.status, 130) << o.errors;
    const std::string said = readFile(scratch.path() / "said");
    EXPECT_TRUE(std::regex_search(said, std::regex("\nframe [0-9]+/1000000    0 %  [0-9]+:[0-5][0-9]:[0-5][0-9] left\n"))) << said;
    EXPECT_THAT(said, testing::Not(HasSubstr("\r")));
}

// One frame of many steps: the progress line changes before the frame is complete.
TEST_F(CliTerminal, ProgressMovesWithinAFrame) {
    for (const std::string mode : {"", " --set render.mode=path"}) {
        std::ofstream(scratch.path() / "said");  // the loop must not read what the run before said
        const Outcome o = runShell(
            WISP_BINARY " render smoke --set grid.cells=[32,16,16] --size 16x16 --frames 1 --steps-per-frame 1000 --overwrite --out b" +
                mode +
                " 2>said & W=$!; until [ $(grep -o 'step [0-9]*/1000' said | sort -u | wc -l) -ge 2 ]; do kill -0 $W || break; sleep 0.1; "
                "done; kill -9 $W; cat said",
            scratch.path());
        EXPECT_THAT(o.output, testing::ContainsRegex(mode.empty() ? "frame 0/1 +[1-9][0-9]* %  step [0-9]+/1000  [0-9:]+ left"
                                                                  : "sample 0/256 +0 %  step [0-9]+/1000"))
            << mode;
        EXPECT_FALSE(std::filesystem::exists(scratch.path() / "b/0000.png")) << "the frame was not complete";
    }
}

TEST_F(CliTerminal, CachesAreWhereTheSpecificationSays) {
    const std::pair<const char*, const char*> places[] = {
        {"XDG_CACHE_HOME=/somewhere HOME=/home/me", "pipeline cache: /somewhere/wisp\n"},
        {"-u XDG_CACHE_HOME HOME=/home/me", "pipeline cache: /home/me/.cache/wisp\n"},
        {"XDG_CACHE_HOME=not/absolute HOME=/home/me", "pipeline cache: /home/me/.cache/wisp\n"},
        {"-u XDG_CACHE_HOME -u HOME", "pipeline cache: none: set HOME or XDG_CACHE_HOME\n"}};
    for (const auto& [environment, text] : places) {
        const Outcome o = runShell(std::string("env ") + environment + " " WISP_BINARY " info", scratch.path());
        EXPECT_EQ(o.status, 0) << o.errors;
        EXPECT_THAT(o.output, HasSubstr(text)) << environment;
    }
}

}  // namespace
}  // namespace wisp::test
