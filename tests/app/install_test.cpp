// SPDX-License-Identifier: MIT
// The installed program works in any folder. Desktop entry and manual page are valid.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Install : public testing::Test {
protected:
    Outcome run(const std::string& command) { return runShell(command, scratch.path()); }
    static void expectClean(const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.output << o.errors;
        EXPECT_EQ(o.output + o.errors, "");
    }
    ScratchFolder scratch;
};

TEST_F(Install, WorksFromAnyFolder) {
    Outcome o = run(WISP_CMAKE " --install " WISP_BUILD_DIR " --prefix \"$PWD/there\" && mv there moved && mkdir elsewhere");
    ASSERT_EQ(o.status, 0) << o.errors;  // the target `wisp` alone also builds the manual page
    for (const char* file :
         {"bin/wisp", "lib/wisp/wisp_openvdb.so", "share/applications/wisp.desktop", "share/icons/hicolor/scalable/apps/wisp.svg",
          "share/icons/hicolor/128x128/apps/wisp.png", "share/bash-completion/completions/wisp", "share/zsh/site-functions/_wisp",
          "share/fish/vendor_completions.d/wisp.fish", "share/man/man1/wisp.1", "include/wisp/wind.glsl", "include/wisp/wind.h",
          "share/wisp/scenes/smoke.toml", "share/wisp/scenes/knot.obj"})
        EXPECT_THAT(scratch.files(), testing::Contains("moved/" + std::string(file)));
    // Not the scenes of the source folder, which also exists.
    std::ofstream(scratch.path() / "moved/share/wisp/scenes/installed_only.toml")
        << readFile(scratch.path() / "moved/share/wisp/scenes/smoke.toml");
    o = run("cd elsewhere && ../moved/bin/wisp scenes");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_THAT(o.output, HasSubstr("installed_only"));
    o = run(
        "cd elsewhere && ../moved/bin/wisp render installed_only --set grid.cells=[32,16,16] --size 64x36 --frames 1 --validate --out "
        "x.png --volume x.vdb");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_EQ(readFile(scratch.path() / "elsewhere/x.png").substr(1, 3), "PNG");
    EXPECT_EQ(readFile(scratch.path() / "elsewhere/x.vdb").substr(0, 4), " BDV");  // by the module in lib/wisp
}

TEST_F(Install, ProgramAndLibraryAloneHaveTheirScenes) {
    const std::string own = "LD_LIBRARY_PATH=\"$PWD\" ";
    Outcome o = run("cp -L " WISP_BINARY " " WISP_BUILD_DIR "/libwisp.so.0.1 . && " + own + "./wisp scenes");
    EXPECT_EQ(o.status, 0) << o.errors;
    for (const char* name : {"knot ", "smoke ", "dam_break "}) EXPECT_THAT(o.output, HasSubstr(name));
    o = run(own + "./wisp check knot");  // with its mesh
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_THAT(o.output, HasSubstr("obstacle[0]: "));
    o = run(own + "./wisp check smoke");  // with its look
    EXPECT_EQ(o.status, 0) << o.errors;
    o = run(own + "./wisp render smoke --volume x.vdb --frames 1");  // without its module
    EXPECT_EQ(o.status, 2);
    EXPECT_THAT(o.errors, HasSubstr("OpenVDB is missing (wisp_openvdb.so is neither beside the program nor in "));
    // A scene file in share/ takes precedence.
    o = run(
        "mkdir -p bin share/wisp/scenes && mv wisp libwisp.so.0.1 bin && echo '[grid]' >share/wisp/scenes/smoke.toml && echo 'oops = 1' "
        ">>share/wisp/scenes/smoke.toml; LD_LIBRARY_PATH=\"$PWD/bin\" bin/wisp check smoke");
    EXPECT_EQ(o.status, 2);
    EXPECT_THAT(o.errors, HasSubstr("share/wisp/scenes/smoke.toml:2:1"));
    EXPECT_EQ(run("LD_LIBRARY_PATH=\"$PWD/bin\" bin/wisp check knot").status, 0);
}

TEST_F(Install, ManualIsCleanAndKnowsEveryOption) {
    const Outcome o = run(WISP_BINARY " manual >wisp.1; mandoc -T lint -W all wisp.1");
    expectClean(o);
    const std::string text = run("mandoc -T ascii wisp.1 | sed \"s/.\\x08//g\"").output;
    for (const char* expected :
         {"wisp render", "--steps-per-frame", "--volume", "wisp run", "--quality", "KEYS AND MOUSE", "Ctrl + Q", "window.toml"})
        EXPECT_THAT(text, HasSubstr(expected));
    const Outcome help = run(WISP_BINARY " run --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.output, HasSubstr("Ctrl + Q"));
    EXPECT_THAT(run(WISP_BINARY " --help").output, Not(HasSubstr("manual")));  // the hidden option is for packagers
}

TEST_F(Install, DesktopFileIsValid) { expectClean(run("desktop-file-validate " + sourceFolder() + "/app/desktop/wisp.desktop")); }

}  // namespace
}  // namespace wisp::test
