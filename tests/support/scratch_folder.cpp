// SPDX-License-Identifier: MIT
#include "tests/support/scratch_folder.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace wisp::test {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "wisp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::vector<std::string> ScratchFolder::files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path_))
        if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), path_).string());
    std::sort(names.begin(), names.end());
    return names;
}

std::filesystem::path cacheOfTests() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache == '/') return std::filesystem::path(cache) / "wisp-tests";
    const char* const home = std::getenv("HOME");
    return (home ? std::filesystem::path(home) / ".cache" : std::filesystem::temp_directory_path()) / "wisp-tests";
}

}  // namespace wisp::test
