// SPDX-License-Identifier: MIT
// Options whose value is not a number.
#include "app/cli/command_line.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;

TEST(CommandLine, RefusesInvalidFrameRates) {
    for (const char* value : {"nan", "NaN", "-nan", "inf", "-inf", "0", "-30", "1e400", "x", "1/0", "24000/", "1/1000"}) {
        const std::string fps = "--fps=" + std::string(value);
        const char* const words[] = {"wisp", "render", fps.c_str()};
        const CommandLine line = parseCommandLine(3, words);
        ASSERT_TRUE(std::holds_alternative<Answer>(line.command)) << fps;
        EXPECT_EQ(std::get<Answer>(line.command).status, Exit::Usage) << fps;
        EXPECT_THAT(std::get<Answer>(line.command).err, HasSubstr("--fps")) << fps;
    }
    const char* const words[] = {"wisp", "render", "--fps", "29.97"};
    EXPECT_EQ(std::get<RenderOptions>(parseCommandLine(4, words).command).fps, 29.97);
    const char* const film[] = {"wisp", "render", "--fps", "24000/1001"};
    EXPECT_EQ(std::get<RenderOptions>(parseCommandLine(4, film).command).fps, 24000.0 / 1001.0);
}

TEST(CommandLine, AJobPassesTheFrameRateOnAsItWasGiven) {
    const char* const words[] = {"wisp", "job", "--fps", "24000/1001"};
    EXPECT_THAT(std::get<JobOptions>(parseCommandLine(4, words).command).simulation, testing::ElementsAre("--fps=24000/1001"));
}

TEST(CommandLine, RefusesANanThreshold) {
    const char* const words[] = {"wisp", "bench", "--compare", "old.json", "--threshold", "nan"};
    EXPECT_EQ(std::get<Answer>(parseCommandLine(6, words).command).status, Exit::Usage);
}

}  // namespace
}  // namespace wisp::app
