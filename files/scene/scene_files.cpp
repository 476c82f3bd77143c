// SPDX-License-Identifier: MIT
#include "files/scene/scene_files.h"

#include "files/base/embedded_file.h"
#include "files/base/extension.h"
#include "files/base/failure.h"
#include "files/base/nearest.h"
#include "files/base/own_file.h"
#include "files/scene/other_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <system_error>

namespace wisp {

namespace fs = std::filesystem;

namespace {

/// Folder of the installed scenes. It may not exist.
fs::path installedFolder() {
    // The program is in bin and the library in lib, or in a folder of lib for this kind of processor.
    std::error_code ignored;
    const OwnFile& own = ownFile();
    const fs::path folder = own.path.parent_path(), near = (folder / "../share/wisp/scenes").lexically_normal();
    return own.isLibrary && !fs::exists(near, ignored) ? (folder / "../../share/wisp/scenes").lexically_normal() : near;
}

/// Adds the name of a scene file. Files in subfolders are not scenes.
void addName(std::set<std::string>& names, const fs::path& file) {
    if (file.extension() == ".toml" && !file.has_parent_path()) names.insert(file.stem());
}

}  // namespace

fs::path builtInFile(const std::string& name) {
    std::error_code ignored;
    const fs::path installed = installedFolder() / name;
    return fs::exists(installed, ignored) ? installed : fs::path(kEmbedded) / name;
}

std::vector<std::string> builtInScenes() {
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(installedFolder(), ignored))
        if (entry.is_regular_file(ignored)) addName(names, entry.path().filename());
    for (const EmbeddedFile& file : embeddedFiles()) addName(names, file.name);
    return {names.begin(), names.end()};
}

fs::path findScene(const std::string& nameOrPath) {
    const std::vector<std::string> names = builtInScenes();
    if (std::find(names.begin(), names.end(), nameOrPath) != names.end()) return builtInFile(nameOrPath + ".toml");
    if (const std::string other = otherFile(nameOrPath); !other.empty())
        throw Failure(Exit::Usage, fmt::format("{}: {}", nameOrPath, other));
    if (nameOrPath.find('/') != std::string::npos || extensionOf(nameOrPath) == ".toml") return nameOrPath;
    std::string message = fmt::format("there is no scene \"{}\"; built-in scenes are: {}; or give the path of a .toml file", nameOrPath,
                                      fmt::join(names, ", "));
    if (const std::string guess = nearest(nameOrPath, names); !guess.empty()) message += fmt::format("; did you mean {}?", guess);
    throw Failure(Exit::Usage, message);
}

}  // namespace wisp
