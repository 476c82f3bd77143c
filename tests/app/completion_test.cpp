// SPDX-License-Identifier: MIT
// Completion of the command line: what `wisp complete` answers, and what bash, zsh and fish make of it when a user presses Tab.
#include "app/cli/command_line.h"
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <sstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

struct Reply {
    bool files = false;
    std::vector<std::string> words;
};

/// The candidates for the last word.
Reply complete(std::vector<const char*> words) {
    words.insert(words.begin(), {"wisp", "complete"});
    const app::CommandLine line = app::parseCommandLine(static_cast<int>(words.size()), words.data());
    std::istringstream text(std::get<app::Answer>(line.command).out);
    std::string row;
    std::getline(text, row);
    EXPECT_THAT(row, testing::AnyOf("files", "words"));
    Reply reply{row == "files", {}};
    while (std::getline(text, row)) reply.words.push_back(row.substr(0, row.find('\t')));
    return reply;
}

TEST(Complete, KnowsCommandsButNotHiddenOnes) {
    EXPECT_THAT(complete({""}).words, ElementsAre("render", "sim", "wedge", "bench", "profile", "job", "info", "check", "scenes", "run"));
    EXPECT_THAT(complete({"r"}).words, ElementsAre("render", "run"));
    EXPECT_THAT(complete({"--v"}).words, ElementsAre("--version"));
    EXPECT_THAT(complete({"oops", ""}).words, ElementsAre());
    EXPECT_THAT(complete({}).words, Contains("render"));
}

TEST(Complete, KnowsOptionsOfTheCommand) {
    EXPECT_THAT(complete({"render", "--fr"}).words, ElementsAre("--frames", "--from", "--from-up", "--from-temperature"));
    EXPECT_THAT(complete({"bench", "--fr"}).words, ElementsAre());
    EXPECT_THAT(complete({"info", ""}).words, ElementsAre("--help", "--json"));
    EXPECT_THAT(complete({"render", "smoke", ""}).words, IsSupersetOf({"--set", "--no-picture"}));  // the only scene is there
}

TEST(Complete, KnowsScenesAndFiles) {
    const Reply scenes = complete({"render", "sm"});
    EXPECT_THAT(scenes.words, ElementsAre("smoke"));
    EXPECT_TRUE(scenes.files);  // or a file such as small.toml
    EXPECT_THAT(complete({"render", "--frames", "3", "pl"}).words, ElementsAre("plume"));
    EXPECT_THAT(complete({"render", "--hash", "pl"}).words, ElementsAre("plume"));
    const Reply report = complete({"profile", "old.json", ""});
    EXPECT_TRUE(report.files);
    EXPECT_THAT(report.words, ElementsAre());
    EXPECT_TRUE(complete({"render", "--out", ""}).files);
    EXPECT_FALSE(complete({"render", "--size", ""}).files);
    EXPECT_FALSE(complete({"render", "--frames", ""}).files);
}

TEST(Complete, KnowsValuesThatTheParserAccepts) {
    EXPECT_THAT(complete({"render", "--quality", ""}).words, ElementsAre("auto", "draft", "preview", "standard", "high", "ultra"));
    EXPECT_THAT(complete({"check", "--quality", ""}).words, ElementsAre("draft", "preview", "standard", "high", "ultra"));
    EXPECT_THAT(complete({"render", "--up", ""}).words, ElementsAre("y", "z"));
    EXPECT_THAT(complete({"run", "--log-level", "q"}).words, ElementsAre("quiet"));
    EXPECT_THAT(complete({"render", "--view", "s"}).words, Contains("speed"));
    EXPECT_THAT(complete({"run", "--set", "flow.vort"}).words, ElementsAre("flow.vorticity="));
    EXPECT_THAT(complete({"wedge", "--set-each", "flow.vort"}).words, ElementsAre("flow.vorticity="));
    EXPECT_THAT(complete({"wedge", "--quality", ""}).words, ElementsAre("draft", "preview", "standard", "high", "ultra"));
    EXPECT_THAT(complete({"run", "--set", "camera."}).words, AllOf(Contains("camera.eye="), Each(StartsWith("camera."))));
    for (const char* option : {"--view", "--slice", "--preset", "--quality", "--up", "--from-up", "--log-level"}) {
        const Reply values = complete({"render", option, ""});
        EXPECT_THAT(values.words, Not(testing::IsEmpty())) << option;
        for (const std::string& value : values.words) {
            std::vector<const char*> line{"wisp", "render", option, value.c_str()};
            if (option == std::string("--up")) line.insert(line.end(), {"--volume", "x.vdb"});  // which it needs
            if (option == std::string("--from-up")) line.insert(line.end(), {"--from", "x.vdb"});
            const app::CommandLine parsed = app::parseCommandLine(static_cast<int>(line.size()), line.data());
            EXPECT_TRUE(std::holds_alternative<app::RenderOptions>(parsed.command)) << option << ' ' << value;
        }
    }
}

TEST(Complete, KnowsValuesBehindAnEqualsSign) {
    EXPECT_THAT(complete({"render", "--quality=h"}).words, ElementsAre("--quality=high"));  // zsh and fish
    EXPECT_THAT(complete({"render", "--quality", "=", "h"}).words, ElementsAre("high"));    // bash
    EXPECT_THAT(complete({"render", "--up", "="}).words, ElementsAre("y", "z"));            // bash, with the cursor behind the sign
    EXPECT_THAT(complete({"render", "--quality", "=", "high", "pl"}).words, ElementsAre("plume"));
    EXPECT_THAT(complete({"render", "--hash=h"}).words, ElementsAre());
}

class Shells : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(run("mkdir bin && ln -s " WISP_BINARY " bin/wisp && touch smuggled.toml").status, 0); }
    Outcome run(const std::string& command) { return runShell(command, scratch.path()); }
    /// What a terminal shows when a user types this into a shell.
    std::string typed(const std::string& shell, const std::string& keys) {
        return run("printf '" + keys + "' | PATH=\"$PWD/bin:$PATH\" TERM=xterm script -qec '" + shell + "' /dev/null").output;
    }
    ScratchFolder scratch;
};

const std::string kFolder = sourceFolder() + "/app/completion";

TEST_F(Shells, Bash) {
    const std::string bash = "bash --norc --noprofile -i", load = "source " + kFolder + "/wisp.bash\\n";
    EXPECT_THAT(typed(bash, load + "wisp che\\tsmok\\t\\nexit\\n"), HasSubstr("192x96x96 cells"));
    EXPECT_THAT(typed(bash, load + "wisp sce\\t --hel\\t\\nexit\\n"), HasSubstr("lists the built-in scenes"));
    EXPECT_THAT(typed(bash, load + "wisp check smoke --quality=pre\\t\\nexit\\n"), HasSubstr("96x48x48 cells"));
    EXPECT_THAT(typed(bash, load + "wisp check smoke --set flow.vortici\\t0.25x\\nexit\\n"),
                HasSubstr("flow.vorticity=0.25x"));                                                 // no space behind a key
    EXPECT_THAT(typed(bash, load + "wisp check smug\\t\\nexit\\n"), HasSubstr("smuggled.toml: "));  // a file
}

TEST_F(Shells, Zsh) {
    const std::string zsh = "zsh -f -i", load = "fpath=(" + kFolder + " $fpath); autoload -Uz compinit; compinit -u -D\\n";
    EXPECT_THAT(typed(zsh, load + "wisp che\\tsmok\\t\\nexit\\n"), HasSubstr("192x96x96 cells"));
    EXPECT_THAT(typed(zsh, load + "wisp sce\\t --hel\\t\\nexit\\n"), HasSubstr("lists the built-in scenes"));
    EXPECT_THAT(typed(zsh, load + "wisp check smoke --quality=pre\\t\\nexit\\n"), HasSubstr("96x48x48 cells"));
    EXPECT_THAT(typed(zsh, load + "wisp check smug\\t\\nexit\\n"), HasSubstr("smuggled.toml: "));
}

TEST_F(Shells, Fish) {
    const auto candidates = [&](const std::string& line) {
        const Outcome o = run("HOME=$PWD PATH=\"$PWD/bin:$PATH\" fish --no-config -c 'source " + kFolder + "/wisp.fish; complete -C \"" +
                              line + "\"'");
        EXPECT_EQ(o.status, 0) << o.errors;
        EXPECT_EQ(o.errors, "");
        return o.output;
    };
    EXPECT_THAT(candidates("wisp che"), StartsWith("check\t"));
    EXPECT_THAT(candidates("wisp check smo"), StartsWith("smoke"));
    EXPECT_THAT(candidates("wisp check smu"), StartsWith("smuggled.toml"));
    EXPECT_THAT(candidates("wisp check --qual"), StartsWith("--quality\t"));
    EXPECT_THAT(candidates("wisp check --quality=pre"), StartsWith("--quality=preview"));
}

}  // namespace
}  // namespace wisp::test
