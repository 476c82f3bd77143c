// SPDX-License-Identifier: MIT
#include "tests/app/run_program.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace wisp::test {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

Outcome runShell(const std::string& command, const fs::path& folder) {
    const ScratchFolder logs;
    const fs::path out = logs.path() / "out";
    const fs::path err = logs.path() / "err";
    const std::string line =
        "cd '" + folder.string() + "' && { " + command + "\n} >'" + out.string() + "' 2>'" + err.string() + "'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readFile(out), readFile(err)};
}

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

}  // namespace wisp::test
