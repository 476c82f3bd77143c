// SPDX-License-Identifier: MIT
// Lists in the documentation that the code outgrows: passes, and the tests of each.
#include "app/base/text_file.h"
#include "compute/sim/shaders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

namespace wisp::test {
namespace {

const std::filesystem::path kSource = WISP_SOURCE_DIR;

std::string page(const char* name) { return app::readText(kSource / name, 1u << 24); }

/// The words of a text that may be names of shaders; "mg_*" stands for all that begin so.
std::set<std::string> wordsOf(const std::string& text) {
    static const std::regex word("[a-z][a-z0-9_]*\\*?");
    std::set<std::string> words;
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.insert(it->str());
    return words;
}

bool names(const std::set<std::string>& words, const std::string& shader) {
    return words.contains(shader) ||
           std::ranges::any_of(words, [&](const std::string& w) { return w.ends_with("_*") && shader.starts_with(w.substr(0, w.size() - 1)); });
}

TEST(Documentation, HasEveryPassInTheFrameAndInTheTable) {
    for (const char* file : {"docs/architecture.md", "docs/passes.md"}) {
        const std::set<std::string> words = wordsOf(page(file));
        for (const engine::EmbeddedShader& s : embeddedShaders()) EXPECT_TRUE(names(words, std::string(s.name))) << file << " lacks " << s.name;
    }
}

TEST(Documentation, TheTableOfPassesNamesNoOther) {
    std::set<std::string> shaders;
    for (const engine::EmbeddedShader& s : embeddedShaders()) shaders.emplace(s.name);
    const std::string table = page("docs/passes.md");
    static const std::regex cell("(?:^|\n)\\| (`[^|]*)\\|"), name("`([a-z0-9_]+)`");
    std::size_t rows = 0;
    for (std::sregex_iterator it(table.begin(), table.end(), cell), end; it != end; ++it, ++rows) {
        const std::string first = (*it)[1];
        for (std::sregex_iterator n(first.begin(), first.end(), name); n != end; ++n) EXPECT_TRUE(shaders.contains((*n)[1])) << (*n)[1] << " is no pass";
    }
    EXPECT_GT(rows, 50u);
}

}  // namespace
}  // namespace wisp::test
