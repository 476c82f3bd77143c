// SPDX-License-Identifier: MIT
#include "tests/app/run_program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace wisp::test {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string mountsOfItsOwn() {
    const ScratchFolder scratch;
    for (const char* command : {"unshare -rm", "unshare -m"})
        if (runShell(std::string(command) + " mount -t tmpfs none .", scratch.path()).status == 0) return command;
    return "";
}

bool everythingRequired() {
    const char* const value = std::getenv("WISP_REQUIRE_VULKAN");
    return value && std::string(value) == "1";
}

Outcome runShell(const std::string& command, const fs::path& folder) {
    const ScratchFolder logs;
    const fs::path out = logs.path() / "out";
    const fs::path err = logs.path() / "err";
    // Runs share wisp's and Mesa's caches of shaders, because otherwise every run would compile for seconds.
    fs::create_directories(logs.path() / "cache");
    const fs::path shared = cacheOfTests() / "program";
    std::error_code none;  // where the home folder cannot be written, nothing is kept
    fs::create_directories(shared, none);
    fs::create_directory_symlink(shared, logs.path() / "cache/wisp");
    const std::string line = "export MESA_SHADER_CACHE_DIR=\"${MESA_SHADER_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}}\" XDG_CACHE_HOME='" +
                             logs.path().string() + "/cache' XDG_CONFIG_HOME='" + logs.path().string() +
                             "/config' WISP_BINARY='" WISP_BINARY_FILE "'\ncd '" + folder.string() + "' && { " + command + "\n} >'" +
                             out.string() + "' 2>'" + err.string() + "'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readFile(out), readFile(err)};
}

}  // namespace wisp::test
