// SPDX-License-Identifier: MIT
// Runs the tests of one executable. The environment variable WISP_TEST_TIER (quick, middle or all; see tests/tiers.toml) leaves out tests.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

/// Prints the command for a test that has failed.
class HowToRun : public testing::EmptyTestEventListener {
public:
    explicit HowToRun(std::string program) : program_(std::move(program)) {}
    void OnTestEnd(const testing::TestInfo& test) override {
        if (!test.result()->Failed()) return;
        std::printf("To run this test alone: WISP_REQUIRE_VULKAN=1 %s --gtest_filter='%s.%s'\n", program_.c_str(), test.test_suite_name(),
                    test.name());
    }

private:
    std::string program_;
};

/// The patterns that a tier leaves out of a module, as "A.*:B.*".
std::string leftOut(const toml::table& tiers, const std::string& tier, const std::string& module) {
    std::string patterns;
    for (const char* name : {"quick", "middle"}) {
        if (tier == "middle" && std::string(name) == "quick") continue;
        const toml::array* const list = tiers[name][module].as_array();
        for (std::size_t n = 0; list && n < list->size(); ++n) patterns += ":" + list->get(n)->value_or(std::string());
    }
    return patterns;
}

void chooseTier(const std::string& module) {
    const char* const tier = std::getenv("WISP_TEST_TIER");
    if (!tier || std::string(tier) == "all") return;
    const std::string patterns = leftOut(toml::parse_file(WISP_TIERS), tier, module);
    std::string& filter = testing::GTEST_FLAG(filter);
    if (!patterns.empty()) filter += filter.find('-') == std::string::npos ? "-" + patterns.substr(1) : patterns;
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const std::string name = std::filesystem::path(argv[0]).stem();  // wisp_MODULE_tests
    chooseTier(name.substr(5, name.size() - 11));
    testing::UnitTest::GetInstance()->listeners().Append(new HowToRun(std::filesystem::relative(argv[0])));
    return RUN_ALL_TESTS();
}
