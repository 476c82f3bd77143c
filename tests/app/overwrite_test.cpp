// SPDX-License-Identifier: MIT
// Files of an earlier run are not changed without --overwrite.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kTiny = "render smoke --set grid.cells=[32,16,16] --size 64x36 --steps-per-frame 1 --frames 2 ";

class Overwrite : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments, const std::string& before = "") {
        return runShell(before + " " WISP_BINARY " " + arguments, scratch.path());
    }
    void write(const std::string& name) {
        std::filesystem::create_directories((scratch.path() / name).parent_path());
        std::ofstream(scratch.path() / name) << "earlier";
    }
    [[nodiscard]] std::string read(const std::string& name) const { return readFile(scratch.path() / name); }
    ScratchFolder scratch;
};

TEST_F(Overwrite, AnEarlierResultIsAnErrorThatNamesTheFile) {
    const std::pair<std::string, std::string> cases[] = {
        {"--out film.mp4", "film.mp4"},          {"", "smoke.mp4"},
        {"--out folder", "folder/0001.png"},     {"--out p%02d.exr", "p01.exr"},
        {"--frames 1 --out one.png", "one.png"}, {"--out q --volume v/%03d.nvdb", "v/000.nvdb"},
        {"--out r --scene-out s.glb", "s.glb"},
    };
    for (const auto& [options, file] : cases) {
        write(file);
        const auto before = scratch.files();
        const Outcome o = wisp(kTiny + options);
        EXPECT_EQ(o.status, 2) << options;
        EXPECT_THAT(o.errors, AllOf(HasSubstr(file + ": exists already"), HasSubstr("--overwrite"))) << options;
        EXPECT_EQ(scratch.files(), before) << options;
        EXPECT_EQ(read(file), "earlier") << options;
        EXPECT_EQ(wisp(kTiny + "--dry-run " + options).status, 0) << "no file may be written: " << options;
    }
}

TEST_F(Overwrite, TheOptionReplacesIt) {
    write("film.mp4");
    write("v/001.nvdb");
    const Outcome o = wisp(kTiny + "--out film.mp4 --volume v/%03d.nvdb --overwrite");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_NE(read("film.mp4"), "earlier");
    EXPECT_NE(read("v/001.nvdb"), "earlier");
}

TEST_F(Overwrite, FilesThatTheRunWouldNotWriteAreNoObstacle) {
    write("folder/0002.png");  // after the last frame
    write("folder/notes.txt");
    const Outcome o = wisp(kTiny + "--out folder");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_EQ(read("folder/0002.png"), "earlier");
}

// Before the first run stopped, it had also written frames after the checkpoint.
TEST_F(Overwrite, AResumedRunContinuesItsOwnSequence) {
    const std::string run = kTiny + "--out a --volume v/%03d.nvdb ";
    ASSERT_EQ(wisp(run + "--frames 1 --checkpoint x").status, 0);
    write("a/0001.png");
    write("v/001.nvdb");
    const Outcome o = wisp(run + "--resume x");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_NE(read("a/0001.png"), "earlier");
    EXPECT_NE(read("v/001.nvdb"), "earlier");
}

TEST_F(Overwrite, ImagesInsteadOfAVideoReplaceNoFiles) {
    write("film/0001.png");
    const Outcome o = wisp(kTiny + "--out film.mp4", "PATH=/nonexistent");
    EXPECT_EQ(o.status, 6) << o.errors;
    EXPECT_THAT(o.errors, AllOf(HasSubstr("film/0001.png: exists already"), HasSubstr("--overwrite")));
    EXPECT_EQ(read("film/0001.png"), "earlier");
    EXPECT_EQ(wisp(kTiny + "--out film.mp4 --overwrite", "PATH=/nonexistent").status, 0);
}

}  // namespace
}  // namespace wisp::test
