// SPDX-License-Identifier: MIT
// Lists in the documentation that must match the code: passes, and the tests of each pass.
#include "app/live/window_shaders.h"
#include "compute/sim/shaders.h"
#include "files/base/text_file.h"
#include "tests/support/source_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace wisp::test {
namespace {

const std::filesystem::path kSource = sourceFolder();

std::string page(const char* name) { return readText(kSource / name, 1u << 24); }

/// The words of a text that may be names of shaders. "mg_*" stands for all names that begin with "mg_".
std::set<std::string> wordsOf(const std::string& text) {
    static const std::regex word("[a-z][a-z0-9_]*\\*?");
    std::set<std::string> words;
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.insert(it->str());
    return words;
}

bool names(const std::set<std::string>& words, const std::string& shader) {
    return words.contains(shader) || std::ranges::any_of(words, [&](const std::string& w) {
               return w.ends_with("_*") && shader.starts_with(w.substr(0, w.size() - 1));
           });
}

std::set<std::string> shaders() {
    std::set<std::string> all;
    for (const auto& some : {embeddedShaders(), app::windowShaders()})
        for (const engine::EmbeddedShader& s : some) all.emplace(s.name);
    return all;
}

TEST(Documentation, TheFrameHasEveryPass) {
    const std::set<std::string> words = wordsOf(page("docs/architecture.md"));
    for (const std::string& s : shaders()) EXPECT_TRUE(names(words, s)) << "docs/architecture.md lacks " << s;
}

TEST(Documentation, EveryPassHasOneHeading) {
    static const std::regex heading("(?:^|\n)## ([^\n]*)"), name("`([a-z0-9_]+)`");
    std::multiset<std::string> described;
    for (const auto& entry : std::filesystem::directory_iterator(kSource / "docs/passes")) {
        const std::string text = readText(entry.path(), 1u << 24);
        for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it) {
            const std::string line = (*it)[1];
            for (std::sregex_iterator n(line.begin(), line.end(), name); n != end; ++n) described.insert((*n)[1]);
        }
    }
    for (const std::string& s : shaders()) EXPECT_EQ(described.count(s), 1u) << s;
    for (const std::string& d : described) EXPECT_TRUE(shaders().contains(d)) << d << " is not the name of a pass";
}

/// All pages of the documentation, relative to the top folder.
std::vector<std::filesystem::path> pages() {
    std::vector<std::filesystem::path> all{"README.md", "CONTRIBUTING.md"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs"))
        if (entry.path().extension() == ".md") all.push_back(std::filesystem::relative(entry.path(), kSource));
    return all;
}

// Links to pages and images must exist, and so must paths of source files in backticks. "*" stands for a part of a name.
TEST(Documentation, LinksAndPathsExist) {
    static const std::regex link("\\]\\(([^)#: ]+)(?:#[^)]*)?\\)"),
        path("`((?:engine|compute|app|shaders|tests|scripts|docs|scenes)/[A-Za-z0-9_./-]+)`");
    std::size_t found = 0;
    for (const std::filesystem::path& page : pages()) {
        const std::string text = readText(kSource / page, 1u << 24);
        for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it, ++found) {
            const std::string target = (*it)[1];
            EXPECT_TRUE(std::filesystem::exists(kSource / page.parent_path() / target)) << page << " links to " << target;
        }
        for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it, ++found) {
            const std::filesystem::path file = kSource / (*it)[1].str();
            if (file.string().find("NAME") != std::string::npos) continue;  // a file that the reader adds
            const bool unit = std::filesystem::exists(file.string() + ".cpp") || std::filesystem::exists(file.string() + ".h");
            EXPECT_TRUE(unit || std::filesystem::exists(file)) << page << " names " << (*it)[1];
        }
    }
    EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace wisp::test
