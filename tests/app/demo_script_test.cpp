// SPDX-License-Identifier: MIT
// scripts/demo.sh on a device without a GPU and without a display: one frame first, then a film that Ctrl+C ends early.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace wisp::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// The program of this build instead of one that the script builds.
const std::string kSetUp = "mkdir -p scripts build/release; cp " + sourceFolder() +
                           "/scripts/demo.sh scripts; printf '#!/bin/sh\\n' >scripts/build.sh; chmod +x scripts/*.sh; ln -s \"" WISP_BINARY
                           "\" build/release/wisp; unset DISPLAY WAYLAND_DISPLAY; ";
const std::string kDemo = "scripts/demo.sh --set grid.cells=[32,16,16] --size 64x36" + kPlain;
constexpr const char* kCountFrames = "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 smoke.mp4";

class DemoScript : public testing::Test {
protected:
    void SetUp() override {
        const std::string gpu = WISP_BINARY " info --json | grep -Eq '\"type\": \"(discrete|integrated|virtual)\"'";
        if (runShell(gpu, scratch.path()).status == 0) GTEST_SKIP() << "with a GPU the script renders no first frame";
    }
    ScratchFolder scratch;
};

TEST_F(DemoScript, WritesAFrameBeforeTheFilm) {
    const Outcome o = runShell(kSetUp + kDemo + "--frames 3 --minutes 1000", scratch.path());
    ASSERT_EQ(o.status, 0) << o.errors;
    const std::string folder = std::filesystem::canonical(scratch.path()).string();
    EXPECT_THAT(o.output, HasSubstr(folder + "/smoke.png is one frame of the demo. A film"));
    EXPECT_THAT(o.output, HasSubstr(folder + "/smoke.mp4"));
    EXPECT_THAT(o.output, HasSubstr("Press Ctrl+C once"));
    EXPECT_THAT(o.errors, HasSubstr("frames 129-129 of 64x36 to smoke.png"));
    EXPECT_THAT(o.errors, HasSubstr("3 frames of 64x36 to smoke.mp4"));
    EXPECT_EQ(readFile(scratch.path() / "smoke.png").substr(1, 3), "PNG");
    EXPECT_LT(std::filesystem::last_write_time(scratch.path() / "smoke.png"),
              std::filesystem::last_write_time(scratch.path() / "smoke.mp4"));
    EXPECT_EQ(std::atoi(runShell(kCountFrames, scratch.path()).output.c_str()), 3);
}

// A terminal sends SIGINT to all processes of the foreground: the script, wisp and what they have started.
TEST_F(DemoScript, CtrlCLeavesAFilmThatCanBePlayed) {
    const std::string wait = "for i in $(seq " + std::to_string(1200 * kPatience) + "); do ";
    const Outcome o = runShell(kSetUp + "{ " + wait +
                                   "grep -Eq 'frame [1-9][0-9]*/1000000' said && break; sleep 0.1; done; printf '\\003'; " + wait +
                                   "test -e status && break; sleep 0.1; done; } | { script -qfec '" + kDemo +
                                   "--frames 1000000 --minutes 100000000' said >terminal; echo $? >status; }",
                               scratch.path());
    const std::string said = readFile(scratch.path() / "said");
    EXPECT_EQ(readFile(scratch.path() / "status"), "130\n") << said << o.errors;
    EXPECT_THAT(said, ContainsRegex("wisp: interrupted; [1-9][0-9]* frames are in smoke.mp4"));
    const Outcome frames = runShell(kCountFrames, scratch.path());
    EXPECT_EQ(frames.errors, "") << "the film is damaged";
    EXPECT_GE(std::atoi(frames.output.c_str()), 1);
}

}  // namespace
}  // namespace wisp::test
