// SPDX-License-Identifier: MIT
#include "app/scene/scene_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wisp::app {

namespace fs = std::filesystem;

fs::path sceneFolder() {
    std::error_code ignored;
    const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<fs::path> candidates{here / "../share/wisp/scenes", here / "../../scenes"};  // installed, build/PRESET
#ifdef WISP_SCENE_DIR
    candidates.emplace_back(WISP_SCENE_DIR);
#endif
    for (const fs::path& folder : candidates)
        if (fs::is_directory(folder, ignored)) return folder.lexically_normal();
    return candidates.back();
}

std::vector<std::string> builtInScenes() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(sceneFolder(), ignored))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

fs::path findScene(const std::string& nameOrPath) {
    if (nameOrPath.find('/') != std::string::npos || fs::path(nameOrPath).extension() == ".toml") return nameOrPath;
    const std::vector<std::string> names = builtInScenes();
    if (std::find(names.begin(), names.end(), nameOrPath) != names.end()) return sceneFolder() / (nameOrPath + ".toml");
    std::string message = fmt::format("there is no scene \"{}\"; built in are: {}; or give the path of a .toml file", nameOrPath,
                                      fmt::join(names, ", "));
    if (const std::string guess = nearest(nameOrPath, names); !guess.empty()) message += fmt::format("; did you mean {}?", guess);
    throw Failure(Exit::Usage, message);
}

}  // namespace wisp::app
