// SPDX-License-Identifier: MIT
// scripts/mutate.py applies the mutants of tests/mutants.toml. The code that each mutant replaces must exist.
#include "files/base/text_file.h"
#include "tests/support/source_folder.h"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <string>

namespace wisp::test {
namespace {

TEST(Mutants, FitTheCode) {
    const std::string source = sourceFolder();
    const toml::table table = toml::parse_file(source + "/tests/mutants.toml");
    const toml::array* mutants = table["mutant"].as_array();
    ASSERT_NE(mutants, nullptr);
    EXPECT_GT(mutants->size(), 100u);
    for (const toml::node& node : *mutants) {
        const toml::table& mutant = *node.as_table();
        const std::string file = *mutant["file"].value<std::string>(), from = *mutant["from"].value<std::string>();
        EXPECT_NE(readText(source + "/" + file, 1u << 24).find(from), std::string::npos) << file << " does not contain \"" << from << '"';
    }
}

}  // namespace
}  // namespace wisp::test
