// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

namespace wisp::test {

/// Checks a property on `cases` random inputs, which are the same in every run. RC_PARAMS="max_success=1000 seed=7" selects other inputs.
template <class Property>
void checkProperty(Property&& property, int cases) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    const char* const given = std::getenv("RC_PARAMS");
    const std::string wanted = given ? given : "";
    if (wanted.find("max_success") == std::string::npos) params.maxSuccess = cases;
    if (wanted.find("seed") == std::string::npos) params.seed = 1;
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const rc::detail::TestMetadata about{test->name(), test->name()};
    const auto result = rc::detail::checkTestable(std::forward<Property>(property), about, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    if (!result.template is<rc::detail::SuccessResult>()) ADD_FAILURE() << text.str();
    else if (!wanted.empty()) std::cout << text.str() << "\n";
}

}  // namespace wisp::test
