// SPDX-License-Identifier: MIT
// Runs the tests of one executable. With WISP_TEST_TIER=middle, without those of tests/tiers.toml.
#include "tests/support/source_folder.h"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fnmatch.h>
#include <stdexcept>
#include <string>

namespace {

constexpr int kNoTest = 77;  // ctest then reports the tests as skipped

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

bool isATest(const std::string& pattern) {
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    for (int i = 0; i < tests.total_test_suite_count(); ++i) {
        const testing::TestSuite& suite = *tests.GetTestSuite(i);
        for (int n = 0; n < suite.total_test_count(); ++n)
            if (fnmatch(pattern.c_str(), (std::string(suite.name()) + "." + suite.GetTestInfo(n)->name()).c_str(), 0) == 0) return true;
    }
    return false;
}

/// Adds the tests that the middle tier leaves out of a module to the filter. @throws std::runtime_error if a pattern matches no test.
void leaveOut(const std::string& module) {
    const char* const set = std::getenv("WISP_TEST_TIER");
    const std::string tier = set ? set : "all";
    if (tier != "middle" && tier != "all") throw std::runtime_error("WISP_TEST_TIER is " + tier + ", must be middle or all");
    const toml::table tiers = toml::parse_file(wisp::test::sourceFolder() + "/tests/tiers.toml");
    const toml::array* const list = tiers[module].as_array();
    std::string& filter = testing::GTEST_FLAG(filter);
    for (std::size_t n = 0; list && n < list->size(); ++n) {
        const std::string pattern = list->get(n)->value_or(std::string());
        if (!isATest(pattern)) throw std::runtime_error("tests/tiers.toml: no test of " + module + " matches " + pattern);
        if (tier == "middle") filter += (filter.find('-') == std::string::npos ? "-" : ":") + pattern;
    }
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const std::string name = std::filesystem::path(argv[0]).stem();  // wisp_MODULE_tests
    try {
        leaveOut(name.substr(5, name.size() - 11));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    testing::UnitTest::GetInstance()->listeners().Append(new HowToRun(std::filesystem::relative(argv[0])));
    const int status = RUN_ALL_TESTS();
    if (testing::UnitTest::GetInstance()->test_to_run_count() > 0 || testing::GTEST_FLAG(list_tests)) return status;
    std::puts("No test was run: the filter or tests/tiers.toml leaves out all of them.");
    return kNoTest;
}
