// SPDX-License-Identifier: MIT
// The texts of job files. tests/farm runs them with schedulers.
#include "app/job/job.h"
#include "app/job/openjd.h"
#include "app/job/slurm.h"
#include "files/base/failure.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace wisp::app {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

std::string textOf(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string problem(const JobOptions& options) {
    try {
        writeJob(options, Log(LogLevel::Quiet));
        return "";
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
}

/// A plan with one step of this one word.
JobPlan planOf(const std::string& word) {
    return {
        .name = "name", .meaning = "Meaning.", .parameters = {}, .steps = {{.name = "draw", .meaning = "Draws.", .command = {{{word}}}}}};
}

TEST(Job, HasOneTaskPerChunk) {
    const ScratchFolder folder;
    JobOptions options{.slurm = folder.path() / "a.sbatch"};
    options.openjd = folder.path() / "a.yaml";
    options.frames = FrameList("--frames", "5-11,20");
    options.every = 3;
    options.simulation = {"--fps=24"};
    options.picture = {"--size=64x48"};
    ASSERT_EQ(problem(options), "");
    const std::string slurm = textOf(options.slurm);
    EXPECT_THAT(slurm, HasSubstr("    5-7 8-10 '11,20'\n"));
    EXPECT_THAT(slurm, HasSubstr("frames='5-11,20'"));
    EXPECT_THAT(slurm, HasSubstr("\"$program\" sim \"$scene\" --fps=24 --frames \"$frames\" --cache \"$cache\" --every \"$every\"\n"));
    EXPECT_THAT(slurm, HasSubstr("\"$program\" render --size=64x48 --cache \"$cache\" --frames \"$1\" --out \"$out\"\n"));
    EXPECT_THAT(slurm, HasSubstr("--dependency=\"afterok:$simulate\""));
    const std::string openjd = textOf(options.openjd);
    EXPECT_THAT(openjd, HasSubstr("\"5-7\", \"8-10\", \"11,20\"\n"));
    EXPECT_THAT(openjd, HasSubstr("\"{{Param.Program}}\", \"render\", \"--size=64x48\", \"--cache\", \"{{Param.Cache}}\""));
    EXPECT_THAT(openjd, HasSubstr("dependsOn: Simulate"));
}

TEST(Job, AFrameOfItsOwnIsNoCount) {
    const ScratchFolder folder;
    JobOptions options{.slurm = folder.path() / "a.sbatch", .frames = FrameList(5), .every = 4};
    ASSERT_EQ(problem(options), "");
    EXPECT_THAT(textOf(options.slurm), HasSubstr("    0-3 4-4\n")) << "4 would be the frames 0 to 3";
}

TEST(Job, QuotesWordsForTheShell) {
    EXPECT_EQ(shellQuoted("a/b-c_1.png"), "a/b-c_1.png");
    EXPECT_EQ(shellQuoted(""), "''");
    EXPECT_EQ(shellQuoted("a b"), "'a b'");
    EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
    EXPECT_EQ(shellQuoted("$(rm)"), "'$(rm)'");
    EXPECT_EQ(shellQuoted("~"), "'~'");
    EXPECT_THAT(slurmScript(planOf("$x")), HasSubstr("draw() {\n    '$x'\n}"));
}

TEST(Job, QuotesWordsForYaml) {
    EXPECT_THAT(openjdTemplate(planOf("a\"b\n{c}")), HasSubstr(R"("a\"b\n{c}")"));
    // Only the value of a parameter may have two braces in a row, or control characters.
    EXPECT_THAT(openjdTemplate(planOf("a\tb")), HasSubstr("default: \"a\\tb\""));
    const std::string braces = openjdTemplate(planOf("{a={b=1}}"));
    EXPECT_THAT(braces, HasSubstr("\"{{Param.Option1}}\""));
    EXPECT_THAT(braces, HasSubstr("default: \"{a={b=1}}\""));
}

TEST(Job, OfManyTasksHasARange) {
    JobPlan plan = planOf("x");
    plan.steps[0].valueName = "member";
    plan.steps[0].count = 5000;
    EXPECT_THAT(openjdTemplate(plan), HasSubstr("type: INT\n          range: \"0-4999\""));
    EXPECT_THAT(slurmScript(plan), HasSubstr("members=({0..4999})"));
}

TEST(Job, OfAWedgeHasOneTaskPerMember) {
    const ScratchFolder folder;
    JobOptions options{.slurm = folder.path() / "a.sbatch", .frames = FrameList(3)};
    options.wedge = WedgeOptions{.render = {}, .setEach = {"flow.vorticity=0.2,0.4", "pressure.iterations=1:3:3"}, .results = "r"};
    options.members = {"--set-each=flow.vorticity=0.2,0.4", "--set-each=pressure.iterations=1:3:3"};
    ASSERT_EQ(problem(options), "");
    const std::string text = textOf(options.slurm);
    EXPECT_THAT(text, HasSubstr("members=({0..5})"));
    EXPECT_THAT(text, HasSubstr("--index \"$1\" --overwrite\n"));
    EXPECT_THAT(text, HasSubstr("--collect\n"));
    EXPECT_THAT(text, HasSubstr("afterany:$render")) << "the sheet shows members that failed";
    EXPECT_THAT(text, HasSubstr("collect) collect || exit $? ;;")) << "its status is that of a member";
    options.wedge->setEach = {"flow.vorticity=0.2,x"};
    options.overwrite = true;
    EXPECT_THAT(problem(options), HasSubstr("flow.vorticity"));
}

TEST(Job, StartsTheNextStepAfterAFailureIfThePlanSaysSo) {
    JobPlan plan = planOf("x");
    plan.steps.push_back({.name = "collect", .meaning = "Collects.", .command = {{{"y"}}}});
    EXPECT_THAT(slurmScript(plan), HasSubstr("afterok:$draw"));
    plan.continuesAfterFailure = true;
    EXPECT_THAT(slurmScript(plan), HasSubstr("afterany:$draw"));
}

TEST(Job, RefusesWhatCannotWork) {
    const ScratchFolder folder;
    EXPECT_THAT(problem({}), HasSubstr("--slurm FILE.sbatch"));
    JobOptions options{.slurm = folder.path() / "a.sbatch"};
    options.out = "film.mp4";
    EXPECT_THAT(problem(options), HasSubstr("film.mp4: must be a folder or a pattern"));
    options.out = "film%.png";
    EXPECT_THAT(problem(options), HasSubstr("film%.png"));
    options.out.clear();
    options.common.load.set = {{"render.temporal", "true", "--set render.temporal=true"}};
    EXPECT_THAT(problem(options), HasSubstr("--set render.temporal=false"));
    options.common.load.set.clear();
    ASSERT_EQ(problem(options), "");
    EXPECT_THAT(problem(options), HasSubstr("a.sbatch: exists already"));
    options.openjd = folder.path() / "a.yaml";
    EXPECT_THAT(problem(options), HasSubstr("a.sbatch: exists already"));
    EXPECT_FALSE(std::filesystem::exists(options.openjd)) << "none of the files is written";
    options.overwrite = true;
    EXPECT_EQ(problem(options), "");
}

TEST(Job, OfOpenJobDescriptionHasShortValuesAndNames) {
    const auto refused = [](const JobPlan& plan) {
        try {
            return openjdTemplate(plan);
        } catch (const Failure& e) {
            EXPECT_EQ(e.status(), Exit::Usage);
            return std::string(e.what());
        }
    };
    JobPlan plan = planOf("x");
    plan.name = "a\tb{c}";
    EXPECT_THAT(refused(plan), HasSubstr("name: \"wisp abc\"\n"));
    plan.name = std::string(123, 'n');
    EXPECT_THAT(refused(plan), HasSubstr("name: \"wisp nnn"));
    plan.name += 'n';
    EXPECT_THAT(refused(plan), HasSubstr("has 124 bytes; a job name has at most 123"));
    plan = planOf("x");
    plan.parameters = {{"folder", std::string(1024, 'f'), "Meaning."}};
    EXPECT_THAT(refused(plan), HasSubstr("default: \"fff"));
    plan.parameters[0].value += 'f';
    EXPECT_THAT(refused(plan), HasSubstr("--openjd: folder has 1025 bytes"));
    plan = planOf("x");
    plan.steps[0].valueName = "chunk";
    plan.steps[0].values = {std::string(1025, '1')};
    EXPECT_THAT(refused(plan), HasSubstr("--openjd: chunk has 1025 bytes"));
}

TEST(Job, OfOpenJobDescriptionHasAtMost1024Chunks) {
    const ScratchFolder folder;
    JobOptions options{.openjd = folder.path() / "a.yaml", .slurm = folder.path() / "a.sbatch", .frames = FrameList(1025), .every = 1};
    EXPECT_THAT(problem(options), HasSubstr("1025 tasks; a step of Open Job Description has at most 1024: a larger --every"));
    EXPECT_FALSE(std::filesystem::exists(options.slurm)) << "none of the files is written";
    options.frames = FrameList(1024);
    EXPECT_EQ(problem(options), "");
}

}  // namespace
}  // namespace wisp::app
