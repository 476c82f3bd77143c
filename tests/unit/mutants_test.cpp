// SPDX-License-Identifier: MIT
// scripts/mutate.py applies the mutants of tests/mutants.toml. The code that each mutant replaces must occur once in its file.
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
        const std::string code = readText(source + "/" + file, 1u << 24);
        const std::size_t first = code.find(from);
        EXPECT_NE(first, std::string::npos) << file << " does not contain \"" << from << '"';
        EXPECT_EQ(code.find(from, first + 1), std::string::npos) << file << " contains \"" << from << "\" more than once";
    }
}

}  // namespace
}  // namespace wisp::test
