// SPDX-License-Identifier: MIT
#include "app/live/preferences.h"
#include "files/base/failure.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <random>

namespace wisp::app {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Preferences unusual() {
    return {.window = {.size = {641, 479}, .monitor = "\"DP\"-1\\", .position = {-7, 33}, .maximised = true, .fullScreen = true},
            .vsync = false,
            .pictureScale = 0.625f,
            .panels = false,
            .help = true,
            .profiler = true,
            .outlines = false,
            .panelScale = 1.1f,
            .panelSide = PanelSide::Left,
            .layout = "[Window][wisp]\nPos=1,2\n'''\"\"\" \t\x01 \xc3\xa9\n"};
}

TEST(Preferences, ReadBackUnchanged) {
    Preferences line;
    line.layout = "\n";
    for (const Preferences& p : {Preferences{}, unusual(), line})
        EXPECT_EQ(parsePreferences(preferencesText(p), "f"), p) << preferencesText(p);
    EXPECT_EQ(parsePreferences("", "f"), Preferences{});
    EXPECT_EQ(parsePreferences("later = 1\n[panels]\nnewer = [1]\n[picture]\nscale = 1\n", "f").pictureScale, 1.0f);
}

TEST(Preferences, SayWhatIsWrongAndWhere) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"[window", "f:1:"},
        {"window = 3", "f:1:10: window: must be a table"},
        {"[window]\nsize = [159, 200]", "f:2:8: window.size: must be two whole numbers, from 160 and 120 to 16384"},
        {"[window]\nsize = [200, 119]", "window.size"},
        {"[window]\nsize = [200, 99999]", "window.size"},
        {"[window]\nsize = [200]", "window.size"},
        {"[window]\nsize = [200, 200, 200]", "window.size"},
        {"[window]\nsize = [200.0, 200]", "window.size"},
        {"[window]\nsize = \"200x200\"", "window.size"},
        {"[window]\nposition = [-9223372036854775808, 0]", "window.position"},
        {"[window]\nmonitor = 1", "f:2:11: window.monitor: must be a string"},
        {"[window]\nmaximised = 1", "window.maximised: must be true or false"},
        {"[window]\nfull_screen = \"yes\"", "window.full_screen"},
        {"[picture]\nvsync = 0", "picture.vsync"},
        {"[picture]\noutlines = 1", "picture.outlines: must be true or false"},
        {"[picture]\nscale = 0.2", "picture.scale: must be a number from 0.25 to 1"},
        {"[picture]\nscale = nan", "picture.scale"},
        {"[picture]\nscale = -inf", "picture.scale"},
        {"[picture]\nscale = true", "picture.scale"},
        {"[panels]\nmain = []", "panels.main"},
        {"[panels]\nscale = 4.5", "panels.scale"},
        {"[panels]\nside = \"top\"", "f:2:8: panels.side: must be right, left or floating"},
        {"[panels]\nside = 1", "panels.side"},
        {"[panels]\nlayout = 1979-05-27", "panels.layout"},
        {"[panels]\nhelp = true\nhelp = true", "f:3:"},
    };
    for (const auto& [text, message] : wrong) {
        try {
            parsePreferences(text, "f");
            ADD_FAILURE() << text;
        } catch (const Failure& e) {
            EXPECT_THAT(e.what(), AllOf(StartsWith("f:"), HasSubstr(message))) << text;
        }
    }
}

TEST(Preferences, RandomDamageIsReadOrRefused) {
    const std::string good = preferencesText(unusual());
    std::mt19937 random(3);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string text = good;
        for (std::size_t k = below(3) + 1; k > 0; --k) text[below(text.size())] = static_cast<char>(below(256));
        if (below(4) == 0) text.resize(below(text.size()));
        try {
            const Preferences p = parsePreferences(text, "f");
            EXPECT_TRUE(p.window.size.x >= 160 && p.window.size.x <= 16384 && p.panelScale >= 0.5f && p.panelScale <= 4.0f);
        } catch (const Failure&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 200);
}

class PreferencesFileTest : public testing::Test {
protected:
    /// The messages that a call prints.
    template <class F>
    std::string messagesOf(F&& call) {
        testing::internal::CaptureStderr();
        call();
        return testing::internal::GetCapturedStderr();
    }
    Preferences load() {
        Preferences p;
        said = messagesOf([&] { p = PreferencesFile(scratch.path(), log).load(); });
        return p;
    }
    void put(const std::string& text) const { std::ofstream(scratch.path() / "window.toml") << text; }

    test::ScratchFolder scratch;
    const Log log;
    std::string said;
};

TEST_F(PreferencesFileTest, ReadsBackSavedPreferences) {
    EXPECT_EQ(load(), Preferences{});
    EXPECT_EQ(messagesOf([&] { PreferencesFile(scratch.path() / "new" / "wisp", log).save(unusual()); }), "");
    EXPECT_THAT(scratch.files(), ElementsAre("new/wisp/window.toml"));
    EXPECT_EQ(PreferencesFile(scratch.path() / "new" / "wisp", log).load(), unusual());
    PreferencesFile(scratch.path(), log).save({});  // only default values
    EXPECT_THAT(scratch.files(), ElementsAre("new/wisp/window.toml"));
}

TEST_F(PreferencesFileTest, InvalidFileIsRenamedToAFreeName) {
    for (const char* name : {"window.toml.bad", "window.toml.bad.2", "window.toml.bad.3"}) {
        const std::string text = std::string("size = [") + name;
        put(text);
        EXPECT_EQ(load(), Preferences{});
        EXPECT_THAT(said, AllOf(HasSubstr("warning: "), HasSubstr("window.toml:1:"), HasSubstr(std::string("renamed to ") + name + ",")));
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
        std::ifstream in(scratch.path() / name);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
        EXPECT_FALSE(fs::exists(scratch.path() / "window.toml"));
    }
    put("");
    load();
    EXPECT_EQ(said, "");
}

TEST_F(PreferencesFileTest, FoldersAndHugeFilesAreRenamed) {
    fs::create_directory(scratch.path() / "window.toml");
    EXPECT_EQ(load(), Preferences{});
    EXPECT_THAT(said, HasSubstr("is not a regular file"));
    put(std::string(2 << 20, '#'));
    EXPECT_EQ(load(), Preferences{});
    EXPECT_THAT(said, HasSubstr("is larger than 1 MiB"));
}

TEST_F(PreferencesFileTest, WriteErrorsAreReportedOnce) {
    PreferencesFile file("/proc/wisp", log);
    EXPECT_THAT(messagesOf([&] { file.save(unusual()); }), AllOf(HasSubstr("warning: "), HasSubstr("not saved")));
    EXPECT_EQ(messagesOf([&] { file.save({}); }), "");
    PreferencesFile none({}, log);
    EXPECT_EQ(messagesOf([&] {
                  EXPECT_EQ(none.load(), Preferences{});
                  none.save(unusual());
              }),
              "");
}

TEST_F(PreferencesFileTest, SymbolicLinkIsKept) {
    fs::create_directory(scratch.path() / "dotfiles");
    std::ofstream(scratch.path() / "dotfiles" / "w.toml") << "[picture]\nvsync = false\n";
    fs::create_symlink("dotfiles/w.toml", scratch.path() / "window.toml");
    EXPECT_FALSE(load().vsync);
    PreferencesFile(scratch.path(), log).save(unusual());
    EXPECT_TRUE(fs::is_symlink(scratch.path() / "window.toml"));
    EXPECT_EQ(load(), unusual());
}

}  // namespace
}  // namespace wisp::app
