// SPDX-License-Identifier: MIT
// --device and WISP_DEVICE: a device by what `wisp info` says of it.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class CliDevice : public testing::Test {
protected:
    /// Chooses a device and renders nothing.
    Outcome choose(const std::string& options, const std::string& before = "") {
        return runShell(before + " " WISP_BINARY " render jet --set grid.cells=[32,16,16] --dry-run " + options, scratch.path());
    }
    ScratchFolder scratch;
};

TEST_F(CliDevice, TakesWhatInfoPrints) {
    const Outcome o = runShell(WISP_BINARY " info --json", scratch.path());
    const Outcome text = runShell(WISP_BINARY " info", scratch.path());
    ASSERT_EQ(o.status, 0) << o.errors;
    const auto devices = nlohmann::json::parse(o.output);
    ASSERT_FALSE(devices.empty());
    for (const auto& device : devices) {
        const std::string uuid = device["uuid"], pci = device["pci"];
        EXPECT_THAT(uuid, MatchesRegex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        EXPECT_THAT(pci, MatchesRegex("([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])?"));
        EXPECT_THAT(text.output, HasSubstr("   UUID " + uuid + (pci.empty() ? "\n" : ", PCI address " + pci + "\n")));
        if (!device["usable"]) continue;
        EXPECT_EQ(choose("--device " + uuid).status, 0);
        EXPECT_EQ(choose("--device GPU-" + uuid).status, 0);
        if (!pci.empty()) {
            EXPECT_EQ(choose("--device " + pci).status, 0);
        }
    }
}

TEST_F(CliDevice, TheVariableIsTheDefault) {
    const std::string unknown = "WISP_DEVICE=00000000-0000-0000-0000-00000000dead";
    const Outcome o = choose("", unknown);
    EXPECT_EQ(o.status, 3);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("matches \"00000000-0000-0000-0000-00000000dead\""), HasSubstr(", UUID "),
                                HasSubstr("The environment variable WISP_DEVICE is \"00000000-0000-0000-0000-00000000dead\"")));
    EXPECT_EQ(choose("--device 0", unknown).status, 0) << "the option replaces it";
    EXPECT_EQ(choose("--device ''", unknown).status, 0) << "the best device";
    EXPECT_EQ(choose("", "WISP_DEVICE=0").status, 0);
    EXPECT_EQ(choose("", "WISP_DEVICE=").status, 0) << "an empty one is none";
    EXPECT_EQ(runShell(unknown + " " WISP_BINARY " info", scratch.path()).status, 0) << "info lists all devices";
    const Outcome other = choose("--device nosuch", unknown);
    EXPECT_EQ(other.status, 3);
    EXPECT_THAT(other.errors, Not(HasSubstr("WISP_DEVICE")));
}

}  // namespace
}  // namespace wisp::test
