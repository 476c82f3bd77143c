// SPDX-License-Identifier: MIT
// Job files, run by hand as a scheduler runs them. tests/farm does it with schedulers.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>

namespace wisp::test {
namespace {

using testing::HasSubstr;

const std::string kJob = WISP_BINARY " job smoke --set 'grid.cells=[16,8,8]'" + kPlain + "--size 32x24 --frames 4 --every 2 ";
/// The job calls the program by its name.
const std::string kPath = "PATH=$(dirname " WISP_BINARY "):$PATH; ";

TEST(Job, ScriptOfSlurmRunsATaskByHand) {
    const ScratchFolder folder;
    const Outcome run = runShell(
        kJob + R"(--set 'name="it'\''s $HOME"' --out 'a b/%04d.png' --slurm job && )" + kPath +
            "bash job simulate && SLURM_ARRAY_TASK_ID=1 bash job render && ls 'a b' && grep '^name' smoke_cache/scene.toml",
        folder.path());
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("0002.png\n0003.png\n"));
    EXPECT_THAT(run.output, HasSubstr("it's $HOME")) << "the shell has not changed it";
}

TEST(Job, ScriptEndsWithTheStatusOfTheProgram) {
    const ScratchFolder folder;
    const Outcome run = runShell(kJob + "--slurm job && " + kPath + "sed -i 's/^scene=smoke /scene=none.toml /' job && bash job simulate",
                                 folder.path());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr("none.toml"));
}

}  // namespace
}  // namespace wisp::test
