// SPDX-License-Identifier: MIT
// `wisp check`: a scene with warnings is still valid.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Check : public testing::Test {
protected:
    Outcome check(const std::string& arguments) { return runShell(WISP_BINARY " check " + arguments, scratch.path()); }
    ScratchFolder scratch;
};

TEST_F(Check, WarnsOfWhatHasNoEffect) {
    std::ofstream(scratch.path() / "empty.toml").close();
    std::ofstream(scratch.path() / "outside.toml")
        << "[[emitter]]\ncentre = [0.5, 0.5, 0.5]\ndensity = 1\n[[emitter]]\ncentre = [9, 0.5, 0.5]\ndensity = 1\n";
    const Outcome empty = check("empty.toml"), outside = check("outside.toml");
    EXPECT_EQ(empty.status, 0) << empty.errors;
    EXPECT_THAT(empty.output, AllOf(HasSubstr("warning: emitter: the scene has no emitter"), Not(HasSubstr(": valid"))));
    EXPECT_EQ(outside.status, 0) << outside.errors;
    EXPECT_THAT(outside.output, AllOf(HasSubstr("warning: emitter[1].centre: the emitter is outside the box"), Not(HasSubstr("emitter[0]")),
                                      Not(HasSubstr(": valid"))));
}

TEST_F(Check, BuiltInScenesAreFine) {
    const Outcome scenes = runShell(WISP_BINARY " scenes | cut -d' ' -f1", scratch.path());
    std::istringstream names(scenes.output);
    int count = 0;
    for (std::string name; names >> name; ++count) {
        const Outcome o = check(name);
        EXPECT_EQ(o.status, 0) << o.errors;
        EXPECT_THAT(o.output, AllOf(HasSubstr(": valid"), Not(HasSubstr("warning: emitter")))) << name;
    }
    EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace wisp::test
