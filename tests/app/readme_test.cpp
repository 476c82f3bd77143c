// SPDX-License-Identifier: MIT
// README.md lists the device requirements of the program.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <regex>
#include <string>

namespace wisp::test {
namespace {

using testing::HasSubstr;

std::string readme() { return readFile(sourceFolder() + "/README.md"); }

TEST(Readme, NamesEveryFeatureThatADeviceNeeds) {
    const ScratchFolder folder;
    const Outcome info = runShell(WISP_BINARY " info --json", folder.path());
    ASSERT_EQ(info.status, 0) << info.errors;
    const auto devices = nlohmann::json::parse(info.output);
    ASSERT_FALSE(devices.empty());
    const std::string text = readme();
    for (const auto& [feature, has] : devices.at(0).at("features").items()) EXPECT_THAT(text, HasSubstr(feature));
}

// Drivers pad images differently, hence the tolerance of a quarter. Levels differ by a factor of three.
TEST(Readme, GivesTheMemoryOfEachLevel) {
    std::smatch row;
    const std::string text = readme();
    ASSERT_TRUE(std::regex_search(
        text, row,
        std::regex(
            R"(\| memory of the device [^|]*\| ([0-9.]+) MiB \| ([0-9.]+) MiB \| ([0-9.]+) MiB \| ([0-9.]+) MiB \| ([0-9.]+) GiB \|)")));
    const ScratchFolder folder;
    const std::array<const char*, 5> levels{"draft", "preview", "standard", "high", "ultra"};
    for (std::size_t n = 0; n < levels.size(); ++n) {
        const Outcome plan = runShell(std::string(WISP_BINARY " render smoke --dry-run --quality ") + levels[n], folder.path());
        if (plan.status == 4) continue;  // not enough memory on this machine
        ASSERT_EQ(plan.status, 0) << plan.errors;
        std::smatch total;
        ASSERT_TRUE(std::regex_search(plan.output, total, std::regex(R"(\ntotal +(\d+) bytes)"))) << plan.output;
        const double said = std::stod(row[n + 1]) * (n == 4 ? 1 << 30 : 1 << 20), is = std::stod(total[1]);
        EXPECT_NEAR(is, said, 0.25 * said) << levels[n];
    }
}

}  // namespace
}  // namespace wisp::test
